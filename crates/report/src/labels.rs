//! Names beside points, where there is room for them.

/// Width of a character of a name on average, and the height of a line.
const CHARACTER: f64 = 5.4;
const LINE: f64 = 11.0;
/// From the rim of a point to its name.
const GAP: f64 = 4.0;
/// How far the baseline of a line lies above its lower end.
const BASELINE: f64 = 2.5;

/// An upright rectangle, in the units of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Rectangle {
    fn meets(&self, other: &Rectangle) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn lies_in(&self, other: &Rectangle) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }
}

/// A point that wants its name beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<'a> {
    pub(crate) name: &'a str,
    pub(crate) center: (f64, f64),
    pub(crate) radius: f64,
    /// Whether its name is to be written; where not it is only in the way of others.
    pub(crate) named: bool,
}

/// Where a name is written: a point of its baseline, and which part of the name is there, as SVG's `text-anchor` says
/// it. So a name that is narrower than it was taken to be stays near its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) anchor: &'static str,
}

/// Where the names of points are written, within `area`, so that none lies over another or over a point; `None` for
/// those that find no room. Points come in the order of their importance.
pub(crate) fn place(points: &[Point<'_>], area: Rectangle) -> Vec<Option<Place>> {
    let circles: Vec<Rectangle> = points.iter().map(around).collect();
    let mut taken: Vec<Rectangle> = Vec::new();
    let free = |candidate: &Rectangle, own: usize, taken: &[Rectangle]| {
        let mut others = circles.iter().enumerate().filter(|&(index, _)| index != own);
        candidate.lies_in(&area)
            && !others.any(|(_, circle)| candidate.meets(circle))
            && !taken.iter().any(|other| candidate.meets(other))
    };
    let mut places = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        let found = candidates(point).into_iter().find(|(one, _)| point.named && free(one, index, &taken));
        taken.extend(found.map(|(rectangle, _)| rectangle));
        places.push(found.map(|(rectangle, anchor)| {
            let x = match anchor {
                "start" => rectangle.left,
                "end" => rectangle.right,
                _ => (rectangle.left + rectangle.right) / 2.0,
            };
            Place { x, y: rectangle.bottom - BASELINE, anchor }
        }));
    }
    places
}

fn around(point: &Point<'_>) -> Rectangle {
    let ((x, y), radius) = (point.center, point.radius);
    Rectangle { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius }
}

/// Right of the point, left, below, above, then at its corners.
fn candidates(point: &Point<'_>) -> [(Rectangle, &'static str); 8] {
    let ((x, y), width) = (point.center, point.name.chars().count() as f64 * CHARACTER);
    let away = point.radius + GAP;
    let at = |left: f64, top: f64| Rectangle { left, top, right: left + width, bottom: top + LINE };
    let (middle, half) = (y - LINE / 2.0, x - width / 2.0);
    let (right, left, below, above) = (x + away, x - away - width, y + away, y - away - LINE);
    let corner = 0.7 * away;
    [
        (at(right, middle), "start"),
        (at(left, middle), "end"),
        (at(half, below), "middle"),
        (at(half, above), "middle"),
        (at(x + corner, y + corner), "start"),
        (at(x + corner, y - corner - LINE), "start"),
        (at(x - corner - width, y + corner), "end"),
        (at(x - corner - width, y - corner - LINE), "end"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rectangle = Rectangle { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };

    fn point(name: &str, x: f64, y: f64) -> Point<'_> {
        Point { name, center: (x, y), radius: 4.0, named: true }
    }

    /// The rectangles that names fill.
    fn filled(points: &[Point<'_>]) -> Vec<Rectangle> {
        let places = place(points, AREA).into_iter().zip(points);
        let rectangle = |place: Place, point: &Point<'_>| {
            let width = point.name.len() as f64 * CHARACTER;
            let before = match place.anchor {
                "start" => 0.0,
                "end" => width,
                _ => width / 2.0,
            };
            let (left, top) = (place.x - before, place.y + BASELINE - LINE);
            Rectangle { left, top, right: left + width, bottom: top + LINE }
        };
        places.filter_map(|(place, point)| Some(rectangle(place?, point))).collect()
    }

    #[test]
    fn a_name_stands_right_of_its_point_or_left_where_the_area_ends() {
        let places = place(&[point("one", 20.0, 50.0), point("other", 190.0, 50.0)], AREA);
        let [one, other] = [places[0].unwrap(), places[1].unwrap()];
        assert_eq!((one.x, one.anchor, other.x, other.anchor), (28.0, "start", 182.0, "end"));
        assert_eq!(place(&[Point { named: false, ..point("one", 20.0, 50.0) }], AREA), [None]);
    }

    #[test]
    fn names_of_neighbours_do_not_lie_over_each_other() {
        let points = [point("first", 60.0, 40.0), point("second", 64.0, 42.0), point("third", 62.0, 52.0)];
        let filled = filled(&points);
        assert_eq!(filled.len(), 3);
        for (index, one) in filled.iter().enumerate() {
            assert!(
                one.lies_in(&AREA) && filled[..index].iter().all(|other| !one.meets(other)),
                "{filled:?}"
            );
        }
    }

    #[test]
    fn in_a_crowd_the_first_ones_are_named() {
        let crowd: Vec<Point<'_>> = (0..40).map(|_| point("somebody", 100.0, 50.0)).collect();
        let places = place(&crowd, AREA);
        assert!(places[0].is_some() && places.iter().flatten().count() <= 8);
        let row: Vec<Point<'_>> =
            (0..40).map(|index| point("somebody", 2.0 + 5.0 * f64::from(index), 50.0)).collect();
        let named = place(&row, AREA).iter().flatten().count();
        assert!((4..40).contains(&named) && place(&row, AREA)[0].is_some(), "{named}");
    }
}
