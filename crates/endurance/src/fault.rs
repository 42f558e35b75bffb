//! What is done to a program, and where.

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt;

/// A kind of system call, as the shim names it.
pub type Call = String;
/// Where a call works: a path below the program's directory, each row of digits written as `#`.
pub type Site = String;

/// What a program calls where, and how often: its trace, counted.
pub type Calls = BTreeMap<(Call, Site), u32>;

/// Kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// SIGKILL at a system call.
    Kill,
    /// A system call that fails.
    Fail,
    /// SIGINT or SIGTERM at a system call or at any time.
    Stop,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Kind::Kill => "kill",
            Kind::Fail => "fail",
            Kind::Stop => "stop",
        })
    }
}

/// When a kill comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the call.
    Before,
    /// When half of a buffer is written.
    Half,
    /// After it.
    After,
}

/// How long a fault lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasting {
    /// One call fails.
    Once,
    /// All such calls fail from then on.
    On,
}

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// SIGKILL.
    Kill(Moment),
    /// The call fails with an error number.
    Fail(i32, Lasting),
    /// Half of the buffer is written, and the next such call fails.
    Short(i32, Lasting),
    /// A signal is sent; the call itself goes on.
    Signal(i32),
}

/// A fault at a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The call; `any`, or `name` for every call that names a path.
    pub call: Call,
    /// The site, or `any`.
    pub site: Site,
    /// Which of these calls, from 1.
    pub number: u32,
    /// What happens.
    pub effect: Effect,
}

impl Fault {
    /// The shim's word for the effect.
    pub fn effect_word(&self) -> String {
        let lasting = |lasting: Lasting| match lasting {
            Lasting::Once => "once",
            Lasting::On => "on",
        };
        match self.effect {
            Effect::Kill(Moment::Before) => "kill-before".to_owned(),
            Effect::Kill(Moment::Half) => "kill-half".to_owned(),
            Effect::Kill(Moment::After) => "kill-after".to_owned(),
            Effect::Fail(error, how) => format!("fail {error} {}", lasting(how)),
            Effect::Short(error, how) => format!("short {error} {}", lasting(how)),
            Effect::Signal(signal) => format!("signal {signal}"),
        }
    }

    /// Draws a fault of a kind among the calls that a program makes: first one of the groups of sites, so that
    /// those with few calls come as often as the others, then a call of it and its number.
    pub fn draw(
        kind: Kind,
        calls: &Calls,
        group: fn(&str) -> &'static str,
        random: &mut ChaCha8Rng,
    ) -> Fault {
        if kind == Kind::Fail && random.random_bool(0.3) {
            return Fault::draw_lasting(calls, random);
        }
        let mut groups: BTreeMap<&str, Vec<(&Call, &Site, u32)>> = BTreeMap::new();
        for ((call, site), &count) in calls {
            groups.entry(group(site)).or_default().push((call, site, count));
        }
        let names: Vec<&str> = groups.keys().copied().collect();
        let chosen = names.choose(random).and_then(|name| groups[name].choose(random));
        // Programs that are worth a campaign write files.
        let (call, site, count) =
            chosen.map_or(("any", "any", 1), |&(call, site, count)| (call.as_str(), site.as_str(), count));
        // A start that goes on has less to do than a whole one: early calls are the likelier.
        let share: f64 = random.random();
        let number = 1 + (f64::from(count) * share * share) as u32;
        let effect = match kind {
            Kind::Kill => {
                let moments: &[Moment] = match call {
                    "write" => &[Moment::Before, Moment::Half, Moment::After],
                    _ => &[Moment::Before, Moment::After],
                };
                Effect::Kill(*moments.choose(random).unwrap_or(&Moment::Before))
            }
            Kind::Stop => Effect::Signal(signal(random)),
            Kind::Fail => {
                let lasting = if random.random_bool(0.5) { Lasting::Once } else { Lasting::On };
                let errors: &[i32] = match call {
                    "write" => &[libc::ENOSPC, libc::EIO],
                    "open" => &[libc::EACCES, libc::ENOSPC, libc::EIO],
                    "mkdir" | "rename" => &[libc::EACCES, libc::ENOSPC],
                    "remove" => &[libc::EACCES],
                    _ => &[libc::EIO],
                };
                let error = *errors.choose(random).unwrap_or(&libc::EIO);
                if call == "write" && random.random_bool(0.5) {
                    Effect::Short(error, lasting)
                } else {
                    Effect::Fail(error, lasting)
                }
            }
        };
        Fault { call: call.to_owned(), site: site.to_owned(), number, effect }
    }

    /// A disk that is full, or a directory that may not be written any more, from some call on.
    fn draw_lasting(calls: &Calls, random: &mut ChaCha8Rng) -> Fault {
        let (call, effect) = if random.random_bool(0.5) {
            ("write", Effect::Short(libc::ENOSPC, Lasting::On))
        } else {
            ("name", Effect::Fail(libc::EACCES, Lasting::On))
        };
        let wanted = |name: &str| if call == "write" { name == "write" } else { is_name(name) };
        let count: u32 = calls.iter().filter(|((name, _), _)| wanted(name)).map(|(_, count)| count).sum();
        let number = random.random_range(1..=count.max(1));
        Fault { call: call.to_owned(), site: "any".to_owned(), number, effect }
    }
}

/// Whether a call names a path, which takes permission.
fn is_name(call: &str) -> bool {
    matches!(call, "open" | "rename" | "remove" | "mkdir")
}

/// One of the signals that ask a program to end.
pub fn signal(random: &mut ChaCha8Rng) -> i32 {
    if random.random_bool(0.5) { libc::SIGINT } else { libc::SIGTERM }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at {} {} of `{}`", self.effect_word(), self.call, self.number, self.site)
    }
}
