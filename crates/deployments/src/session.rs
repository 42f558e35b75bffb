//! The table of a study under way: pairs get their numbers, what is on record is not played again.

use crate::record::{Record, RecordError};
use crate::study::StudyError;
use crate::table::{Judge, PairRequest, Seat, Table};
use commander::{Commander, Deployment};
use pairs::{Pair, PlayedGame};
use statistics::Pentanomial;

/// Set-ups that are judged between two writes to the record.
const JUDGED_AT_ONCE: usize = 64;

/// What the stages of a study share.
pub(crate) struct Session<'a> {
    pub game: &'a Commander,
    pub table: &'a dyn Table,
    pub judge: Option<&'a dyn Judge>,
    pub record: Record,
    /// Pairs asked for so far: the number of the next one.
    pub asked: u64,
    /// Pairs that may be asked for.
    pub most: u64,
    /// Pairs in which the first player's score has been counted.
    pub first_player: Pentanomial,
    pub say: &'a dyn Fn(&str),
}

impl<'a> Session<'a> {
    /// A table at which nothing has been asked for, without a limit of pairs.
    pub fn new(
        game: &'a Commander,
        table: &'a dyn Table,
        judge: Option<&'a dyn Judge>,
        record: Record,
        say: &'a dyn Fn(&str),
    ) -> Session<'a> {
        let first_player = Pentanomial::default();
        Session { game, table, judge, record, asked: 0, most: u64::MAX, first_player, say }
    }

    /// Pairs that may still be asked for.
    pub fn left(&self) -> u64 {
        self.most.saturating_sub(self.asked)
    }

    /// Plays pairs, or finds them on record, and returns them in the order asked for. All are asked for even
    /// where that is more than is left: stages look at [`Session::left`] before they ask.
    pub fn play(&mut self, seat: Seat, sides: Vec<[Deployment; 2]>) -> Result<Vec<Pair>, StudyError> {
        let first = self.asked;
        self.asked += sides.len() as u64;
        let requests: Vec<PairRequest> =
            sides.into_iter().zip(first..).map(|(sides, number)| PairRequest { number, sides }).collect();
        let mut missing = Vec::new();
        for request in &requests {
            if self.record.pair(seat, request)?.is_none() && !self.void(&request.sides) {
                missing.push(request.clone());
            }
        }
        if !missing.is_empty() {
            let record = &self.record;
            let played =
                self.table.play(seat, &missing, &|request, pair| record.keep_pair(seat, request, pair));
            self.record.flush()?;
            played?;
        }
        let mut pairs = Vec::with_capacity(requests.len());
        for request in &requests {
            let number = request.number;
            let pair = match self.record.pair(seat, request)? {
                Some(pair) => pair.clone(),
                None if self.void(&request.sides) => {
                    Pair { pair: number, games: [PlayedGame::void(0), PlayedGame::void(1)] }
                }
                None => return Err(StudyError::Missing { number }),
            };
            if seat.player == 0 && pair.games.iter().all(|game| !game.is_void()) {
                self.first_player.add(2 + pair.games[0].half_points() - pair.games[1].half_points());
            }
            pairs.push(pair);
        }
        Ok(pairs)
    }

    /// Whether neither game of a pair can be played.
    pub fn void(&self, sides: &[Deployment; 2]) -> bool {
        let [one, other] = sides;
        self.is_void([one, other]) && self.is_void([other, one])
    }

    fn is_void(&self, sides: [&Deployment; 2]) -> bool {
        self.game.void(&self.game.deployed(sides)).is_some()
    }

    /// What the judge expects of set-ups against weighted opponents, both colours, a void game counting ½;
    /// `None` without a judge. `panel` names the opponents on record.
    pub fn values(
        &mut self,
        panel: &str,
        set_ups: &[Deployment],
        opponents: &[(f64, Deployment)],
    ) -> Result<Option<Vec<f64>>, StudyError> {
        let Some(judge) = self.judge else { return Ok(None) };
        let mut found = Vec::with_capacity(set_ups.len());
        for batch in set_ups.chunks(JUDGED_AT_ONCE) {
            let new: Vec<&Deployment> = batch
                .iter()
                .filter(|set_up| self.record.value(panel, &set_up.to_string()).is_none())
                .collect();
            let mut positions = Vec::new();
            for &set_up in &new {
                for (_, opponent) in opponents {
                    for sides in [[set_up, opponent], [opponent, set_up]] {
                        if !self.is_void(sides) {
                            positions.push(sides);
                        }
                    }
                }
            }
            let judged = if positions.is_empty() { Vec::new() } else { judge.judge(&positions)? };
            let mut judged = judged.into_iter();
            let mut values = Vec::new();
            for &set_up in &new {
                let (mut score, mut weight) = (0.0, 0.0);
                for (share, opponent) in opponents {
                    for red in [true, false] {
                        let sides = if red { [set_up, opponent] } else { [opponent, set_up] };
                        let value = match self.is_void(sides) {
                            true => 0.5,
                            false => {
                                let value = judged.next().ok_or(StudyError::Judgements)?;
                                if red { value } else { 1.0 - value }
                            }
                        };
                        score += share * value;
                        weight += share;
                    }
                }
                values.push((set_up.to_string(), score / weight));
            }
            if !self.record.keep_values(panel, &values) {
                self.record.flush()?;
            }
            for set_up in batch {
                found.push(self.record.value(panel, &set_up.to_string()).ok_or(StudyError::Judgements)?);
            }
        }
        self.record.flush()?;
        Ok(Some(found))
    }
}

impl From<RecordError> for StudyError {
    fn from(error: RecordError) -> StudyError {
        StudyError::Record(error)
    }
}
