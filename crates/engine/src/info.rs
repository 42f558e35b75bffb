//! What an engine tells of its search.

use crate::protocol::Protocol;
use std::fmt::Write;

/// What one `info` line says; what it does not say is absent. Of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Turns looked ahead.
    pub depth: Option<u32>,
    /// Number of the line among the best ones, from 1.
    pub line_number: Option<u32>,
    /// What the line is worth.
    pub score: Option<Score>,
    /// Win, draw and loss in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nodes_per_second: Option<u64>,
    /// Milliseconds gone.
    pub milliseconds: Option<u64>,
    /// The principal line, turn by turn.
    pub line: Vec<String>,
}

/// A score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Turns to a forced mate, negative where the side to move is mated.
    Mate(i32),
}

impl Info {
    /// Reads the words behind `info`; what is not understood is left out. Both protocols are read: in
    /// UCCI a score has no kind.
    pub fn read<'a>(words: impl Iterator<Item = &'a str>) -> Info {
        let mut info = Info::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let mut number = || words.peek().and_then(|word| word.parse::<i64>().ok());
            match word {
                "depth" => info.depth = number().and_then(|number| number.try_into().ok()),
                "multipv" => info.line_number = number().and_then(|number| number.try_into().ok()),
                "nodes" => info.nodes = number().and_then(|number| number.try_into().ok()),
                "nps" => info.nodes_per_second = number().and_then(|number| number.try_into().ok()),
                "time" => info.milliseconds = number().and_then(|number| number.try_into().ok()),
                "score" => {
                    let kind = words.next_if(|&word| word == "cp" || word == "mate");
                    let number = words.peek().and_then(|word| word.parse::<i32>().ok());
                    info.score = match (kind, number) {
                        (Some("mate"), Some(turns)) => Some(Score::Mate(turns)),
                        (_, Some(centipawns)) => Some(Score::Centipawns(centipawns)),
                        (_, None) => None,
                    };
                }
                "wdl" => {
                    let mut share = || words.next_if(|word| word.parse::<u32>().is_ok())?.parse().ok();
                    info.wdl = match (share(), share(), share()) {
                        (Some(win), Some(draw), Some(loss)) => Some([win, draw, loss]),
                        _ => None,
                    };
                }
                "pv" => {
                    info.line = words.by_ref().map(str::to_owned).collect();
                }
                // All that follows is text.
                "string" => break,
                _ => {}
            }
        }
        info
    }

    /// Takes over what a later line says.
    pub fn update(&mut self, later: Info) {
        fn newer<T>(old: &mut Option<T>, new: Option<T>) {
            if new.is_some() {
                *old = new;
            }
        }
        // Of several lines only the best counts.
        if later.line_number.is_some_and(|number| number > 1) {
            return;
        }
        newer(&mut self.depth, later.depth);
        newer(&mut self.score, later.score);
        newer(&mut self.wdl, later.wdl);
        newer(&mut self.nodes, later.nodes);
        newer(&mut self.nodes_per_second, later.nodes_per_second);
        newer(&mut self.milliseconds, later.milliseconds);
        if !later.line.is_empty() {
            self.line = later.line;
        }
    }

    /// The line that says it.
    pub fn write(&self, protocol: Protocol) -> String {
        let mut text = "info".to_owned();
        let mut add = |word: &str, number: Option<u64>| {
            if let Some(number) = number {
                // Writing to a string does not fail.
                let _ = write!(text, " {word} {number}");
            }
        };
        add("depth", self.depth.map(u64::from));
        add("multipv", self.line_number.map(u64::from));
        add("nodes", self.nodes);
        add("nps", self.nodes_per_second);
        add("time", self.milliseconds);
        match (self.score, protocol) {
            (Some(Score::Centipawns(score)), Protocol::Uci) => text.push_str(&format!(" score cp {score}")),
            (Some(Score::Mate(turns)), Protocol::Uci) => text.push_str(&format!(" score mate {turns}")),
            (Some(Score::Centipawns(score)), Protocol::Ucci) => text.push_str(&format!(" score {score}")),
            (Some(Score::Mate(turns)), Protocol::Ucci) => {
                let score = 30_000 * turns.signum() - turns;
                text.push_str(&format!(" score {score}"));
            }
            (None, _) => {}
        }
        if let (Some([win, draw, loss]), Protocol::Uci) = (self.wdl, protocol) {
            text.push_str(&format!(" wdl {win} {draw} {loss}"));
        }
        if !self.line.is_empty() {
            text.push_str(" pv ");
            text.push_str(&self.line.join(" "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Info {
        Info::read(text.split_whitespace())
    }

    #[test]
    fn lines_of_both_protocols_are_read_and_written() {
        let line = "depth 7 multipv 1 nodes 3294 nps 6215 time 530 score cp -7 wdl 120 700 180 pv b9c7 f0e1";
        let info = read(line);
        assert_eq!((info.depth, info.score), (Some(7), Some(Score::Centipawns(-7))));
        assert_eq!((info.nodes, info.milliseconds), (Some(3294), Some(530)));
        assert_eq!(info.wdl, Some([120, 700, 180]));
        assert_eq!(info.line, ["b9c7", "f0e1"]);
        assert_eq!(info.write(Protocol::Uci), format!("info {line}"));
        assert_eq!(
            info.write(Protocol::Ucci),
            "info depth 7 multipv 1 nodes 3294 nps 6215 time 530 score -7 pv b9c7 f0e1"
        );
        let fairy = read("depth 6 seldepth 6 score -6 upperbound nodes 5324 tbhits 0 time 224 pv b9c7 f0e1");
        assert_eq!((fairy.score, fairy.nodes), (Some(Score::Centipawns(-6)), Some(5324)));
        assert_eq!(read("score mate -3").score, Some(Score::Mate(-3)));
        assert_eq!(read("string depth 5 pv none"), Info::default());
        assert_eq!(read("depth many score cp wdl 1 2 pv"), Info::default());
    }

    #[test]
    fn later_lines_count_and_only_the_best_of_several() {
        let mut info = read("depth 1 score cp 5 pv a");
        info.update(read("depth 2 multipv 1 score cp 7 pv b c"));
        info.update(read("depth 2 multipv 2 score cp 3 pv d"));
        info.update(read("nodes 90"));
        assert_eq!((info.depth, info.score, info.nodes), (Some(2), Some(Score::Centipawns(7)), Some(90)));
        assert_eq!(info.line, ["b", "c"]);
    }
}
