//! The command line.

use crate::failure::Failure;
use clap::{Parser, Subcommand, ValueEnum};
use engine::{Protocol, Ranks};
use game::Player;
use net::{Device, DeviceChoice, Precision, RulesCheck};
use pairs::Clock;
use statistics::sequential::{Overshoot, Scale};
use std::path::PathBuf;

/// Evaluates agents.
#[derive(Debug, Parser)]
#[command(name = "evaluate", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays pairs of games with colours exchanged between A and B and says how A did.
    Match(MatchArguments),
    /// Plays pairs of games between A and B until one of two hypotheses about A's strength is accepted: a
    /// generalised sequential probability ratio test.
    Sprt(SprtArguments),
    /// Rates any number of players together, playing the pairs that tell most.
    Ladder(LadderArguments),
    /// Draws a ladder: one HTML page, and tables as CSV and Parquet.
    Report(ReportArguments),
    /// Says how often checkpoints keep the value of solved positions of Connect Four, beside an
    /// untrained network.
    Solved(SolvedArguments),
    /// Asks a checkpoint about positions that any trained network must judge sanely.
    Canaries(CanariesArguments),
    /// Says what a checkpoint makes of a position: priors, visits, values, principal lines.
    Explain(ExplainArguments),
    /// Plays a game against you, on the terminal or with a script on standard input.
    Play(PlayArguments),
    /// Makes a checkpoint an engine that a graphical board can load: UCI or UCCI on standard input and
    /// output.
    Engine(EngineArguments),
}

/// The rules of the game.
#[derive(Clone, Debug, clap::Args)]
pub struct RulesArguments {
    /// A preset of the game's rules. Without --preset and --option the rules are those of the
    /// checkpoints, or else the game's default preset.
    #[arg(long, value_name = "P")]
    pub preset: Option<String>,
    /// A rule option over the preset. May be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Lets checkpoints play under rules that they were not trained for.
    #[arg(long)]
    pub allow_other_rules: bool,
}

impl RulesArguments {
    /// How strictly checkpoints must agree with the rules.
    pub const fn check(&self) -> RulesCheck {
        if self.allow_other_rules { RulesCheck::AnyOptions } else { RulesCheck::Same }
    }
}

/// What networks run on.
#[derive(Clone, Debug, clap::Args)]
pub struct MachineArguments {
    /// Where networks run.
    #[arg(long, default_value = "cpu", value_name = "cpu|cuda")]
    pub device: DeviceChoice,
    /// Worker threads; by default one for each processor core.
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub threads: Option<u16>,
    /// Numbers of networks; int8, which auto never takes, pays where many games are played at once.
    #[arg(long, default_value = "auto", value_name = "auto|fp32|bf16|int8")]
    pub precision: Precision,
}

impl MachineArguments {
    /// What speaks against these numbers on this device.
    pub fn fault(&self) -> Option<String> {
        let fault = self.precision.fault(self.device)?;
        Some(format!("--precision {}: {fault}", self.precision))
    }

    /// Opens the device; for CUDA that must happen before LibTorch is used for anything else.
    ///
    /// # Errors
    /// Numbers or a device that cannot be had.
    pub fn open(&self) -> Result<Device, Failure> {
        match self.fault() {
            Some(fault) => Err(Failure::input(fault)),
            None => net::device::open(self.device).map_err(Failure::input),
        }
    }

    /// Worker threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            Some(threads) => threads.into(),
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Under which conditions players meet, in matches, sequential tests and ladders alike.
#[derive(Clone, Debug, clap::Args)]
pub struct ConditionArguments {
    /// The game.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Simulations a turn of checkpoints that do not say theirs with @.
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Uniformly random legal turns at the start of each pair, the same for both of its games.
    #[arg(long, allow_negative_numbers = true, value_name = "K", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub opening_steps: u32,
    /// Where pairs start instead of the game's own start: a file with one FEN a line, taken in turn, or
    /// one of the game's start distributions, drawn anew for each pair (`rules starts GAME` lists them;
    /// in a file: `draw NAME`).
    #[arg(long, value_name = "FILE|NAME")]
    pub starts: Option<PathBuf>,
    /// Seed of openings, ties and playouts.
    #[arg(long, allow_negative_numbers = true, value_name = "S", default_value_t = 0, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    #[command(flatten)]
    /// The rules.
    pub rules: RulesArguments,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
    /// A list of engines [default: engines.toml, if it is there]
    #[arg(long, value_name = "FILE.toml")]
    pub engines: Option<PathBuf>,
    /// What measures the time of checkpoints: the clock on the wall, as for engines, or the time that the
    /// processor works for them, which other work on the machine does not shorten.
    #[arg(long, value_enum, value_name = "CLOCK", default_value = "wall")]
    pub clock: ClockWord,
}

/// Arguments of `evaluate match`.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchArguments {
    /// One side: `random | greedy | rollouts:N | alphabeta:D | DIR[/checkpoints/N][@BUDGET] |
    /// engine:NAME@BUDGET`.
    ///
    /// rollouts:N plays N random games before each step, alphabeta:D looks D turns ahead. DIR is a run
    /// directory (its newest checkpoint) or a checkpoint. BUDGET is what a turn may cost: simulations of a
    /// checkpoint (@64; @0 plays its raw policy), nodes of an engine (@1000), or time (@1s, @500ms). NAME is
    /// a name from the list of engines or a program with settings,
    /// `./fairy?protocol=ucci&option.Threads=1`.
    pub a: String,
    /// The other side, written like A.
    pub b: String,
    /// Pairs of games.
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = whole(1, 1_000_000))]
    pub pairs: u64,
    #[command(flatten)]
    /// The game, starts, chance and machine.
    pub conditions: ConditionArguments,
    /// Keeps all pairs of games in a file, one JSON value a line, as they finish. A file of the same match
    /// is gone on with: what is in it is not played again.
    #[arg(long, value_name = "FILE.jsonl")]
    pub save: Option<PathBuf>,
    /// Prints the result as one JSON value.
    #[arg(long)]
    pub json: bool,
}

/// A clock as a word of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockWord {
    /// The clock on the wall.
    Wall,
    /// The processor's time.
    Processor,
}

impl From<ClockWord> for Clock {
    fn from(word: ClockWord) -> Clock {
        match word {
            ClockWord::Wall => Clock::Wall,
            ClockWord::Processor => Clock::Processor,
        }
    }
}

/// Arguments of `evaluate engine`.
#[derive(Clone, Debug, clap::Args)]
pub struct EngineArguments {
    /// A checkpoint: `DIR[/checkpoints/N][@simulations]`. Its game is played.
    #[arg(value_name = "DIR[@SIMS]")]
    pub agent: String,
    /// The protocol that is spoken until the board names one itself.
    #[arg(long, value_name = "uci|ucci", default_value = "uci")]
    pub protocol: Protocol,
    /// How the board counts ranks: from zero, as the game does, or for Xiangqi over UCI from one.
    #[arg(long, value_name = "from-zero|from-one", default_value = "from-zero")]
    pub ranks: Ranks,
    /// Simulations a turn where neither the board nor the checkpoint's @ says otherwise.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Positions of a search that the network judges together; they know a little less of each other. By default
    /// 16 on a GPU, and 1 on a processor, where more are no faster.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub leaves: Option<u16>,
    #[command(flatten)]
    /// The rules.
    pub rules: RulesArguments,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// Positions judged together on a GPU, where a call takes about as long for one as for many.
const LEAVES_ON_A_GPU: usize = 16;

impl EngineArguments {
    /// Positions of a search that are judged together.
    pub fn leaves(&self) -> usize {
        match (self.leaves, self.machine.device) {
            (Some(leaves), _) => leaves.into(),
            (None, DeviceChoice::Cuda) => LEAVES_ON_A_GPU,
            (None, _) => arena::thinking::LEAVES,
        }
    }
}

/// Arguments of `evaluate sprt`.
#[derive(Clone, Debug, clap::Args)]
pub struct SprtArguments {
    /// Who plays what; --pairs is the most that are played.
    #[command(flatten)]
    pub played: MatchArguments,
    /// The first hypothesis, H0: A is better than B by this.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// The second hypothesis, H1: A is better than B by this.
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: f64,
    /// Probability of accepting H1 where H0 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Probability of accepting H0 where H1 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// What the Elo of the hypotheses measures: Elo in standard deviations of a game, or the Elo of the
    /// score.
    #[arg(long, value_enum, value_name = "normalised|elo", default_value = "normalised")]
    pub scale: ScaleWord,
    /// What is done about the ratio jumping over a bound: nothing, or bounds moved inwards.
    #[arg(long, value_enum, value_name = "ignored|corrected", default_value = "ignored")]
    pub overshoot: OvershootWord,
}

/// A scale of Elo as a word of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScaleWord {
    /// In standard deviations of a game.
    Normalised,
    /// Of the expected score.
    Elo,
}

impl From<ScaleWord> for Scale {
    fn from(word: ScaleWord) -> Scale {
        match word {
            ScaleWord::Normalised => Scale::NormalisedElo,
            ScaleWord::Elo => Scale::Elo,
        }
    }
}

/// What is done about overshoot, as a word of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OvershootWord {
    /// Bounds are moved inwards.
    Corrected,
    /// Wald's bounds.
    Ignored,
}

impl From<OvershootWord> for Overshoot {
    fn from(word: OvershootWord) -> Overshoot {
        match word {
            OvershootWord::Corrected => Overshoot::Corrected,
            OvershootWord::Ignored => Overshoot::Ignored,
        }
    }
}

/// Arguments of `evaluate ladder`.
#[derive(Clone, Debug, clap::Args)]
pub struct LadderArguments {
    /// Players, written as in `evaluate match`; a run directory stands for all its checkpoints. `random` is
    /// always among them and stands at 0.
    #[arg(value_name = "PLAYER")]
    pub players: Vec<String>,
    /// Where the ladder is kept; one that is there is gone on with [default: ladder-GAME]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Most checkpoints of a run, spread evenly over it, the newest among them.
    #[arg(long, allow_negative_numbers = true, value_name = "K", value_parser = clap::value_parser!(u16).range(1..))]
    pub checkpoints: Option<u16>,
    /// Pairs that are played now, on top of those that were played before [default: 30 a player, no limit with
    /// --minutes]
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = whole(0, 10_000_000))]
    pub pairs: Option<u64>,
    /// Minutes after which no more pairs are begun.
    #[arg(long, allow_negative_numbers = true, value_name = "M", value_parser = positive)]
    pub minutes: Option<f64>,
    /// Stops when every rating's 95 % interval is at most ± this.
    #[arg(long, allow_negative_numbers = true, value_name = "ELO", value_parser = positive)]
    pub width: Option<f64>,
    /// Pairs of two players that are played before it is decided again who should play.
    #[arg(long, allow_negative_numbers = true, value_name = "N", default_value_t = 8, value_parser = whole(1, 10_000))]
    pub block: u64,
    /// What is not to be wasted when the next pairs are chosen [default: time with --minutes, else pairs]
    #[arg(long, value_enum, value_name = "time|pairs")]
    pub economy: Option<Economy>,
    #[command(flatten)]
    /// The game, starts, chance and machine.
    pub conditions: ConditionArguments,
    /// Prints the standings as one JSON value.
    #[arg(long)]
    pub json: bool,
}

/// What the choice of the next pairs of a ladder saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Economy {
    /// Those come next that tell most for each second that they are expected to take.
    Time,
    /// Those come next that tell most, which does not depend on how fast the machine is.
    Pairs,
}

impl LadderArguments {
    /// What is not to be wasted: what is limited, unless something else is asked for.
    pub fn economy(&self) -> Economy {
        self.economy.unwrap_or(if self.minutes.is_some() { Economy::Time } else { Economy::Pairs })
    }

    /// Where the ladder is kept.
    pub fn directory(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| format!("ladder-{}", self.conditions.game).into())
    }
}

/// Reads whole numbers of a range. Says which range it is, also to a negative number.
fn whole(least: u64, most: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("should be a whole number from {least} to {most}")),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && number <= 1e6 => Ok(number),
        _ => Err("should be a number above 0, at most 1000000".to_owned()),
    }
}

/// Arguments of `evaluate report`.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportArguments {
    /// The ladder's directory.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Where the page goes [default: report.html in the directory]
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

/// Arguments of `evaluate solved`.
#[derive(Clone, Debug, clap::Args)]
pub struct SolvedArguments {
    /// Checkpoints: `DIR[/checkpoints/N][@simulations]`. One without @ is asked twice, with --sims
    /// simulations and for its raw policy.
    #[arg(required = true, value_name = "DIR[@SIMS]")]
    pub agents: Vec<String>,
    /// Simulations a position of checkpoints that do not say theirs with @.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Positions out of the 1 000, spread evenly over them.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub positions: u16,
    /// Seed of the untrained networks.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Prints the result as one JSON value.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// Arguments of `evaluate explain`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExplainArguments {
    /// A checkpoint: `DIR[/checkpoints/N][@simulations]`.
    #[arg(value_name = "DIR[@SIMS]")]
    pub agent: String,
    /// The game.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Position [default: the start of the game]
    #[arg(long, value_name = "F")]
    pub fen: Option<String>,
    /// Simulations where the checkpoint does not say them with @; 0 looks at the network alone.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Steps of the table, those with the largest weight in the policy first.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    pub top: u16,
    /// Prints everything as one JSON value.
    #[arg(long)]
    pub json: bool,
    /// Also draws the board with the policy as arrows into this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    /// The rules.
    pub rules: RulesArguments,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// Arguments of `evaluate canaries`.
#[derive(Clone, Debug, clap::Args)]
pub struct CanariesArguments {
    /// A checkpoint: `DIR[/checkpoints/N][@simulations]`. Its game decides which positions are asked.
    #[arg(value_name = "DIR[@SIMS]")]
    pub agent: String,
    /// Simulations where the checkpoint does not say them with @.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub sims: u32,
    /// A file with other positions than those that come with the program, one a line:
    /// `name; position; + right steps; outlook` or `- wrong steps`, the outlook win, loss or -.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Prints the result as one JSON value.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// Arguments of `evaluate play`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArguments {
    /// Your opponent: `random | greedy | rollouts:N | alphabeta:D | DIR[/checkpoints/N][@simulations]`.
    pub opponent: String,
    /// The game.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Your side.
    #[arg(long, value_enum, value_name = "SIDE", default_value = "first")]
    pub side: Side,
    /// Position to begin with [default: the start of the game]
    #[arg(long, value_name = "F")]
    pub fen: Option<String>,
    /// Goes on with a saved game; your side is the one saved with it.
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub load: Option<PathBuf>,
    /// Simulations a turn of a checkpoint that does not say them with @.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Seed of the opponent's chance.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    /// The rules.
    pub rules: RulesArguments,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// A side as a word of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// The player that begins.
    First,
    /// The other one.
    Second,
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}
