//! Bytes that no checker prints, made of those that checkers did print: cut, spliced, repeated,
//! with bits flipped and numbers replaced. One named trial a format, the same bytes on every run.
//!
//! `cargo xtask fuzz` does the same for as long as one likes, led by what the code does; this needs
//! nothing that every test does not need.

mod support;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use obelus_core::format::{FORMATS, Format};
use obelus_record::Stream;
use peak_alloc::PeakAlloc;
use support::{captured, in_process, mutate::Mutator, sound};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The bytes that all inputs of one format have together, and the most inputs.
const BYTES: usize = 3 << 20;
const INPUTS: usize = 1500;

/// The longest input.
const LONGEST: usize = 32 << 10;

/// What everything in this process may take at once: far more than any of its inputs is worth, and
/// far less than one takes that makes a format fill the memory.
const MEGABYTES: f32 = 512.0;

/// The streams of one run: that of the findings, and the other one.
type Seed = (Vec<u8>, Vec<u8>);

fn main() {
    let args = Arguments::from_args();
    let mut seeds: BTreeMap<&str, Vec<Seed>> = BTreeMap::new();
    for (_, folder) in captured::cases() {
        let case = in_process::load(&folder).expect("a case of the corpus can be loaded");
        let primary = case.primary();
        let other = match primary {
            Stream::Stdout => Stream::Stderr,
            Stream::Stderr | Stream::Report => Stream::Stdout,
        };
        let seed = (shortened(case.bytes(primary)), shortened(case.bytes(other)));
        seeds.entry(case.format.name()).or_default().push(seed);
    }
    let all = Arc::new(seeds);
    let trials = FORMATS.iter().map(|format| {
        let all = Arc::clone(&all);
        Trial::test(format.name(), move || hold(*format, &all))
    });
    libtest_mimic::run(&args, trials.collect()).exit();
}

fn shortened(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len().min(LONGEST / 2)].to_vec()
}

fn hold(format: &dyn Format, all: &BTreeMap<&str, Vec<Seed>>) -> Result<(), Failed> {
    let others: Vec<&Seed> = all.values().flatten().collect();
    // A format of which the corpus has nothing is handed what others print.
    let own: Vec<&Seed> =
        all.get(format.name()).map_or(others.clone(), |seeds| seeds.iter().collect());
    let mut mutator = Mutator::new(format.name(), LONGEST);
    let mut spent = 0;
    for number in 0..INPUTS {
        let (main, side) = own[number % own.len()];
        let main = mutator.mutated(main, |random| match random.once_in(8) {
            true => &random.pick(&others).0,
            false => &random.pick(&own).0,
        });
        spent += main.len() + side.len();
        if spent > BYTES {
            break;
        }
        let held = catch_unwind(AssertUnwindSafe(|| sound::hold(format, &main, side)));
        let taken = MEMORY.peak_usage_as_mb();
        if held.is_err() || taken > MEGABYTES {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
            let file = folder.join(format!("mutation-{}", format.name()));
            std::fs::write(&file, &main)?;
            let what = match held {
                Err(panic) => words(&*panic),
                Ok(()) => format!("{taken} MB of memory were taken"),
            };
            return Err(format!("input {number}, {}: {what}", file.display()).into());
        }
    }
    Ok(())
}

/// What a panic says.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
