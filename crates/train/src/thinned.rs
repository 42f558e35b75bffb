//! A bounded number of records of something that goes on for months.

/// At most so many of the records that come, evenly spread, and always the newest of them.
#[derive(Debug)]
pub struct Thinned<T> {
    most: usize,
    /// Every so many-th record is kept.
    stride: u64,
    count: u64,
    kept: Vec<T>,
    /// The newest one, where it is none of those that are kept anyway.
    newest: Option<T>,
}

impl<T> Thinned<T> {
    /// Keeps at most `most` records, and never fewer than half of them where as many came.
    pub fn new(most: usize) -> Thinned<T> {
        Thinned { most: most.max(2), stride: 1, count: 0, kept: Vec::new(), newest: None }
    }

    /// Takes the next record.
    pub fn push(&mut self, record: T) {
        if self.count.is_multiple_of(self.stride) {
            self.kept.push(record);
            self.newest = None;
        } else {
            self.newest = Some(record);
        }
        self.count += 1;
        // The newest one needs a place too.
        if self.kept.len() == self.most {
            let newest = if self.most.is_multiple_of(2) { self.kept.pop() } else { None };
            let mut odd = false;
            self.kept.retain(|_| {
                odd = !odd;
                odd
            });
            self.newest = newest.or_else(|| self.newest.take());
            self.stride *= 2;
        }
    }

    /// The records that are left, in the order in which they came.
    pub fn into_records(self) -> Vec<T> {
        let Thinned { mut kept, newest, .. } = self;
        kept.extend(newest);
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_records_are_all_kept_and_many_evenly_with_the_newest() {
        for most in [2, 3, 7, 10, 1000] {
            let kept = |count: u64| {
                let mut thinned = Thinned::new(most);
                (0..count).for_each(|record| thinned.push(record));
                thinned.into_records()
            };
            for count in 0..5000 {
                let records = kept(count);
                assert!(records.len() <= most, "{most} {count} {records:?}");
                if count < most as u64 {
                    assert_eq!(records, (0..count).collect::<Vec<_>>());
                    continue;
                }
                assert!(records.len() >= most / 2, "{most} {count} {records:?}");
                assert_eq!((records.first(), records.last()), (Some(&0), Some(&(count - 1))));
                let gap = records.get(1).map_or(0, |second| second - records[0]);
                let (evenly, last) = records.split_at(records.len() - 1);
                assert!(evenly.windows(2).all(|pair| pair[1] - pair[0] == gap), "{most} {count} {records:?}");
                assert!(evenly.last().is_none_or(|before| last[0] - before <= gap));
            }
        }
    }
}
