//! Changes of JSON that leave it JSON: what a mutation of bytes seldom reaches.

use rand::Rng;
use rand::seq::IndexedRandom;
use serde_json::{Map, Number, Value};

/// Numbers that are often where it matters.
const NUMBERS: [f64; 10] = [0.0, -1.0, 0.5, 1.0, 2.0, 255.0, 65_536.0, 1e18, -1e300, 1.7e308];

/// Changes one value of one line that is JSON; a text without such a line stays as it is.
pub(super) fn change(text: &[u8], random: &mut impl Rng) -> Option<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let whole = serde_json::from_slice::<Value>(text).ok();
    if let Some(mut value) = whole {
        change_value(&mut value, random);
        return serde_json::to_vec(&value).ok();
    }
    let place = random.random_range(0..lines.len().max(1));
    // Some targets read a byte before the first line.
    let start = usize::from(place == 0 && text.first() != Some(&b'{'));
    let line = lines.get_mut(place)?;
    let mut value: Value = serde_json::from_slice(line.get(start..)?).ok()?;
    change_value(&mut value, random);
    line.truncate(start);
    line.extend(serde_json::to_vec(&value).ok()?);
    line.push(b'\n');
    Some(lines.concat())
}

/// Goes down to some value and changes it.
fn change_value(value: &mut Value, random: &mut impl Rng) {
    let goes_on = random.random_range(0..8) > 0;
    match value {
        Value::Array(list) if goes_on && !list.is_empty() => {
            let place = random.random_range(0..list.len());
            change_value(&mut list[place], random);
        }
        Value::Object(map) if goes_on && !map.is_empty() => {
            let place = random.random_range(0..map.len());
            if let Some(inner) = map.values_mut().nth(place) {
                change_value(inner, random);
            }
        }
        Value::Array(list) if random.random() => match list.first().cloned() {
            Some(first) if random.random() => list.push(first),
            _ => drop(list.pop()),
        },
        Value::Object(map) if random.random() => {
            let key = map.keys().nth(random.random_range(0..map.len().max(1))).cloned();
            drop(key.and_then(|key| map.remove(&key)));
        }
        Value::Number(number) if random.random() => {
            // Near what stands there.
            let near = number.as_i64().map(|number| number.wrapping_add(random.random_range(-2..=2)));
            *value = near.map_or(Value::Null, Value::from);
        }
        _ => *value = other(random),
    }
}

/// Some value.
fn other(random: &mut impl Rng) -> Value {
    match random.random_range(0..9) {
        0 => Value::Null,
        1 => Value::Bool(random.random()),
        2 => Value::String(String::new()),
        3 => Value::String("../../elsewhere".to_owned()),
        4 => Value::Array(Vec::new()),
        5 => Value::Object(Map::new()),
        6 => Value::from(u64::MAX),
        7 => Value::from(random.random::<i64>()),
        _ => NUMBERS
            .choose(random)
            .and_then(|&number| Number::from_f64(number))
            .map_or(Value::Null, Value::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random::{Purpose, stream};

    #[test]
    fn changed_json_is_json_and_seldom_the_same() {
        let mut random = stream(1, Purpose::Sampling, &[]);
        for text in ["{\"a\":[1,2,{\"b\":null}],\"c\":\"x\"}", "1{\"a\":1}\n{\"b\":[1.5]}\n"] {
            let mut same = 0;
            for _ in 0..200 {
                let changed = change(text.as_bytes(), &mut random).unwrap();
                same += usize::from(changed == text.as_bytes());
                let body = &changed[usize::from(text.starts_with('1'))..];
                for line in body.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                    serde_json::from_slice::<Value>(line).unwrap();
                }
            }
            assert!(same < 40, "{same}");
        }
        assert_eq!(change(b"no JSON", &mut random), None);
    }
}
