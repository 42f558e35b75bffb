//! The formats of whole games.

use super::{Chinese, Coordinates, DhtmlXq, Layout, Spelling, Wxf};
use crate::{Position, Step, Xiangqi};
use game::written::{MoveList, Parentheses, RecordFormat, Score, Spacing, Tagged, TurnNotation};
use game::{Fault, Game, Line};

/// Turns in one spelling of moves. A move that the board allows is read after the end of a game too:
/// real games go on where the judge has ended them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled<S>(pub S);

impl<S: Spelling + Send + Sync> TurnNotation<Xiangqi> for Spelled<S> {
    fn read_turn(&self, game: &Xiangqi, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        let step = self.0.read(position, text).map_err(|message| Fault::new(text, message))?;
        let mut legal = Vec::new();
        game.legal_steps(position, &mut legal);
        match legal.contains(&step) || game.outcome(position, &Line::new()).is_some() {
            true => Ok(vec![step]),
            false => Err(Fault::new(text, "not legal: the judge forbids it")),
        }
    }

    fn turn_text(&self, _game: &Xiangqi, position: &Position, steps: &[Step]) -> String {
        steps.iter().map(|&step| self.0.write(position, step)).collect()
    }

    fn read_score(&self, value: &str) -> Option<Score> {
        score(value)
    }
}

/// The result that a Chinese word means.
pub(super) fn score(text: &str) -> Option<Score> {
    match text {
        "红胜" | "紅勝" | "红先胜" | "紅先勝" | "先胜" | "先勝" | "黑负" | "黑負" => {
            Some(Score::First)
        }
        "黑胜" | "黑勝" | "红先负" | "紅先負" | "先负" | "先負" | "红负" | "紅負" => {
            Some(Score::Second)
        }
        "和" | "和棋" | "和局" | "红先和" | "紅先和" | "先和" => Some(Score::Draw),
        "未知" | "不详" | "不詳" => Some(Score::Open),
        _ => None,
    }
}

const fn list<S>(name: &'static str, about: &'static str, spelling: S) -> MoveList<Spelled<S>>
where
    S: Copy,
{
    MoveList { name, about, spacing: Spacing::Blank, notation: Spelled(spelling) }
}

const fn tagged<S>(
    name: &'static str,
    about: &'static str,
    format_tag: &'static str,
    spelling: S,
) -> Tagged<Spelled<S>>
where
    S: Copy,
{
    Tagged {
        name,
        about,
        game_tag: Some("Chinese Chess"),
        format_tag,
        parentheses: Parentheses::Variation,
        notation: Spelled(spelling),
    }
}

static UCCI: MoveList<Spelled<Coordinates>> =
    list("ucci", "moves as in UCCI, ranks 0 to 9: h2e2", Coordinates::Ucci);
static UCI: MoveList<Spelled<Coordinates>> =
    list("uci", "moves as in UCI, ranks 1 to 10: h3e3", Coordinates::Uci);
static ICCS: MoveList<Spelled<Coordinates>> = list("iccs", "moves as in ICCS: H2-E2", Coordinates::Iccs);
static WXF: MoveList<Spelled<Wxf>> = list("wxf", "moves as in WXF: C2=5", Wxf);
static CHINESE: MoveList<Spelled<Chinese>> = list("chinese", "moves in Chinese: 炮二平五", Chinese);
static PGN_ICCS: Tagged<Spelled<Coordinates>> =
    tagged("pgn-iccs", "PGN with moves as in ICCS", "ICCS", Coordinates::Iccs);
static PGN_WXF: Tagged<Spelled<Wxf>> = tagged("pgn-wxf", "PGN with moves as in WXF", "WXF", Wxf);
static PGN_CHINESE: Tagged<Spelled<Chinese>> =
    tagged("pgn-chinese", "PGN with moves in Chinese", "Chinese", Chinese);
static DHTMLXQ: DhtmlXq =
    DhtmlXq { name: "dhtmlxq", about: "DhtmlXQ move lists: 7747", layout: Layout::Moves };
static DHTMLXQ_TAGS: DhtmlXq = DhtmlXq {
    name: "dhtmlxq-tags",
    about: "DhtmlXQ with its tags, start and comments",
    layout: Layout::Tags,
};

/// The formats that Xiangqi has beside those of every game.
pub static FORMATS: [&dyn RecordFormat<Xiangqi>; 10] =
    [&UCCI, &UCI, &ICCS, &WXF, &CHINESE, &PGN_ICCS, &PGN_WXF, &PGN_CHINESE, &DHTMLXQ, &DHTMLXQ_TAGS];
