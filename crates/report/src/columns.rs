//! Columns of stacked layers: shares and amounts over time, and histograms.

use crate::html::Html;
use crate::plot::{Plot, Readout, colour, empty_figure, figure};
use crate::scale::{Axis, Ends, Range, Scale};
use std::collections::BTreeMap;
use std::fmt::Write;

/// From this many columns on neighbours are drawn as one, their mean.
const MOST_COLUMNS: usize = 80;
/// Most layers with a name of their own in [`Columns::of_counts`].
const MOST_NAMES: usize = 8;
/// The name of the rest.
const OTHER: &str = "other";

/// How high a column is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stack {
    /// Layers are shares of 1.
    Shares,
    /// Layers are amounts.
    #[default]
    Amounts,
}

/// One layer of all columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// Its name in the legend.
    pub name: String,
    /// One value a column; missing ones, negative ones and those that are not finite count as 0.
    pub values: Vec<f64>,
}

/// A chart of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// The horizontal axis; its range follows from the columns.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Where the columns stand, rising.
    pub places: Vec<f64>,
    /// The layers, the lowest first.
    pub layers: Vec<Layer>,
}

impl Columns {
    /// A chart of layers at places.
    pub fn new(
        title: &str,
        x: Axis,
        stack: Stack,
        label: &str,
        places: Vec<f64>,
        layers: Vec<Layer>,
    ) -> Columns {
        let y = match stack {
            Stack::Shares => Axis::share(label),
            Stack::Amounts => Axis::from_zero(label),
        };
        Columns { title: title.to_owned(), note: String::new(), x, y, places, layers }
    }

    /// The same with a remark.
    pub fn note(mut self, note: &str) -> Columns {
        self.note = note.to_owned();
        self
    }

    /// Layers from named amounts a column, the name with the largest sum first; names beyond the eighth
    /// come together as *other*. With [`Stack::Shares`] the amounts of a column become shares of it.
    pub fn of_counts(
        title: &str,
        x: Axis,
        stack: Stack,
        label: &str,
        columns: &[(f64, BTreeMap<String, f64>)],
    ) -> Columns {
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for (name, &amount) in columns.iter().flat_map(|(_, amounts)| amounts) {
            *sums.entry(name).or_default() += amount;
        }
        let mut names: Vec<(&str, f64)> = sums.into_iter().collect();
        names.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        let kept = if names.len() > MOST_NAMES { MOST_NAMES - 1 } else { names.len() };
        let whole = |amounts: &BTreeMap<String, f64>| match stack {
            Stack::Shares => amounts.values().sum::<f64>().max(f64::MIN_POSITIVE),
            Stack::Amounts => 1.0,
        };
        let mut layers: Vec<Layer> = names[..kept]
            .iter()
            .map(|&(name, _)| Layer {
                name: name.to_owned(),
                values: columns
                    .iter()
                    .map(|(_, amounts)| amounts.get(name).copied().unwrap_or_default() / whole(amounts))
                    .collect(),
            })
            .collect();
        if kept < names.len() {
            let rest = |amounts: &BTreeMap<String, f64>| {
                names[kept..].iter().filter_map(|(name, _)| amounts.get(*name)).sum::<f64>() / whole(amounts)
            };
            layers.push(Layer {
                name: OTHER.to_owned(),
                values: columns.iter().map(|(_, amounts)| rest(amounts)).collect(),
            });
        }
        Columns::new(title, x, stack, label, columns.iter().map(|(place, _)| *place).collect(), layers)
    }

    /// A histogram: how many of the numbers lie in each of about `bins` intervals of equal width.
    pub fn histogram(title: &str, x: Axis, label: &str, numbers: &[f64], bins: usize) -> Columns {
        let scale = Scale::new(Range::Data, numbers.iter().copied(), Ends::Rounded, bins);
        let count = ((scale.high - scale.low) / scale.step).round().max(1.0) as usize;
        let mut values = vec![0.0; count];
        for number in numbers.iter().filter(|number| number.is_finite()) {
            let bin = ((number - scale.low) / scale.step + 1e-9).floor().max(0.0) as usize;
            values[bin.min(count - 1)] += 1.0;
        }
        let places = (0..count).map(|bin| scale.low + (bin as f64 + 0.5) * scale.step).collect();
        let (places, values) = if numbers.is_empty() { (Vec::new(), Vec::new()) } else { (places, values) };
        let layers = vec![Layer { name: label.to_owned(), values }];
        Columns::new(title, x, Stack::Amounts, label, places, layers)
    }

    /// The chart.
    pub fn to_html(&self) -> Html {
        let (places, layers, spacing) = self.merged();
        if places.is_empty() || layers.is_empty() {
            return empty_figure(&self.title, &self.note);
        }
        let tops = (0..places.len()).map(|column| layers.iter().map(|layer| layer.values[column]).sum());
        let half = spacing / 2.0;
        let ends = Range::Fixed(places[0] - half, places[places.len() - 1] + half);
        let plot = Plot {
            x_axis: &self.x,
            y_axis: &self.y,
            x: Scale::new(ends, std::iter::empty(), Ends::Exact, 6),
            y: Scale::new(self.y.range, tops, Ends::Rounded, 4),
        };
        let mut body = plot.axes();
        let gap = if places.len() > 40 { 0.0 } else { 0.12 * spacing };
        let mut floors = vec![0.0; places.len()];
        for (index, layer) in layers.iter().enumerate() {
            let _ = writeln!(body, "<g class=\"layer {}\">", colour_of(index, &layer.name));
            for (column, &value) in layer.values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                let (low, high) = (plot.y(floors[column]), plot.y(floors[column] + value));
                let left = plot.x(places[column] - half + gap / 2.0);
                let right = plot.x(places[column] + half - gap / 2.0);
                let _ = writeln!(
                    body,
                    "<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    right - left,
                    low - high
                );
                floors[column] += value;
            }
            body.push_str("</g>\n");
        }
        let points: Vec<Vec<(f64, f64)>> = layers
            .iter()
            .map(|layer| places.iter().copied().zip(layer.values.iter().copied()).collect())
            .collect();
        let readouts: Vec<Readout<'_>> =
            layers.iter().zip(&points).map(|(layer, points)| Readout { name: &layer.name, points }).collect();
        let legend: Vec<(&str, String)> = layers
            .iter()
            .enumerate()
            .map(|(index, layer)| (layer.name.as_str(), colour_of(index, &layer.name)))
            .collect();
        let legend = if legend.len() > 1 { legend } else { Vec::new() };
        figure(&self.title, &self.note, &legend, &body, &plot.readout(&readouts))
    }

    /// Places and layers of at most [`MOST_COLUMNS`] columns, cleaned, and the distance of two columns.
    fn merged(&self) -> (Vec<f64>, Vec<Layer>, f64) {
        let group = self.places.len().div_ceil(MOST_COLUMNS).max(1);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let places: Vec<f64> = self.places.chunks(group).map(mean).collect();
        let layers = self
            .layers
            .iter()
            .map(|layer| {
                let mut values = layer.values.clone();
                values.resize(self.places.len(), 0.0);
                for value in &mut values {
                    *value = if value.is_finite() { value.max(0.0) } else { 0.0 };
                }
                Layer { name: layer.name.clone(), values: values.chunks(group).map(mean).collect() }
            })
            .collect();
        let distances = self.places.windows(2).map(|pair| pair[1] - pair[0]);
        let spacing = distances.filter(|distance| *distance > 0.0).fold(f64::INFINITY, f64::min);
        let spacing = if spacing.is_finite() { spacing } else { 1.0 };
        (places, layers, spacing * group as f64)
    }
}

/// The rest is grey, whatever its place.
fn colour_of(index: usize, name: &str) -> String {
    if name == OTHER { "c0".to_owned() } else { colour(index) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(list: &[(&str, f64)]) -> BTreeMap<String, f64> {
        list.iter().map(|&(name, amount)| (name.to_owned(), amount)).collect()
    }

    #[test]
    fn counts_become_shares_largest_first() {
        let columns = [(1.0, amounts(&[("air", 1.0), ("land", 3.0)])), (2.0, amounts(&[("land", 2.0)]))];
        let chart = Columns::of_counts("ends", Axis::new("cycle"), Stack::Shares, "share", &columns);
        assert_eq!(chart.layers[0], Layer { name: "land".to_owned(), values: vec![0.75, 1.0] });
        assert_eq!(chart.layers[1].values, [0.25, 0.0]);
        let html = chart.to_html().to_string();
        assert_eq!(html.matches("<rect").count(), 3);
        assert_eq!(html.matches("<li>").count(), 2);
    }

    #[test]
    fn many_names_come_together() {
        let many: Vec<(String, f64)> = (0..12).map(|index| (format!("n{index:02}"), 1.0)).collect();
        let columns = [(1.0, many.into_iter().collect())];
        let chart = Columns::of_counts("many", Axis::new("x"), Stack::Amounts, "y", &columns);
        assert_eq!(chart.layers.len(), MOST_NAMES);
        let last = chart.layers.last().unwrap();
        assert_eq!((last.name.as_str(), last.values[0]), (OTHER, 5.0));
    }

    #[test]
    fn histograms_count_every_number_once() {
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let chart = Columns::histogram("lengths", Axis::new("turns"), "games", &numbers, 10);
        assert_eq!(chart.layers[0].values, [10.0; 10]);
        assert_eq!(chart.places[0], 5.0);
        let one = Columns::histogram("one", Axis::new("x"), "n", &[7.0], 10);
        assert_eq!(one.layers[0].values.iter().sum::<f64>(), 1.0);
        assert!(one.to_html().as_str().contains("<rect"));
        let none = Columns::histogram("none", Axis::new("x"), "n", &[], 10);
        assert!(none.to_html().as_str().contains("nothing yet"));
    }

    #[test]
    fn many_columns_are_merged() {
        let places: Vec<f64> = (0..1000).map(f64::from).collect();
        let layers = vec![Layer { name: "one".to_owned(), values: vec![0.5; 990] }];
        let chart = Columns::new("t", Axis::new("x"), Stack::Shares, "y", places, layers);
        let html = chart.to_html().to_string();
        assert!(html.matches("<rect").count() <= MOST_COLUMNS);
    }
}
