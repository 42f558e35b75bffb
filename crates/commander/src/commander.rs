//! The game object: rules and their tables.

use crate::rules::Rules;
use crate::tables::Tables;

/// Commander Chess under fixed rules.
#[derive(Clone, Debug)]
pub struct Commander {
    pub(crate) rules: Rules,
    pub(crate) tables: Tables,
}

impl Commander {
    /// The game under these rules. Every combination of option values makes sense.
    pub fn new(rules: Rules) -> Commander {
        let tables = Tables::new(&rules);
        Commander { rules, tables }
    }
}
