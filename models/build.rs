//! With the feature `broken`, copies of the files with one of the faults of `broken.txt` in them: the one whose number,
//! from 1, `GARRISON_MODELS_FAULT` says.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const FAULTS: &str = "broken.txt";
const NUMBER: &str = "GARRISON_MODELS_FAULT";
const FILES: [&str; 2] = ["engine/src/control.rs", "selfplay/src/handover.rs"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={FAULTS}");
    println!("cargo:rerun-if-env-changed={NUMBER}");
    if env::var_os("CARGO_FEATURE_BROKEN").is_none() {
        return Ok(());
    }
    let text = fs::read_to_string(FAULTS)?;
    let faults: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let number: usize = env::var(NUMBER).map_err(|_| format!("{NUMBER} is to say which fault"))?.parse()?;
    let fault = number.checked_sub(1).and_then(|index| faults.get(index));
    let fault = fault.ok_or_else(|| format!("{NUMBER}: {number} of {} faults", faults.len()))?;
    let parts: Vec<&str> = fault.split(" |").map(str::trim).collect();
    let &[file, line, replacement] = &parts[..] else {
        return Err(format!("{FAULTS}: found `{fault}`, expected file | line | in its place").into());
    };
    for known in FILES {
        let path = Path::new("../crates").join(known);
        println!("cargo:rerun-if-changed={}", path.display());
        let source = fs::read_to_string(&path)?;
        let mut found = 0;
        let mut copy = String::new();
        // What a module says of itself cannot be included.
        for own in source.lines().filter(|line| !line.starts_with("//!")) {
            let is_it = known == file && own.trim() == line;
            found += usize::from(is_it);
            copy.push_str(if is_it { replacement } else { own });
            copy.push('\n');
        }
        if known == file && found != 1 {
            return Err(format!("{FAULTS}: `{line}` is {found} times in {file}, expected once").into());
        }
        let name = path.file_name().ok_or("a file without a name")?;
        fs::write(Path::new(&env::var("OUT_DIR")?).join(name), copy)?;
    }
    Ok(())
}
