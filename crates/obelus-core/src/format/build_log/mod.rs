//! `build-log`: a log that somebody kept of a build (make, ninja, a runner of builds), in which
//! many programs speak.
//!
//! The log is cut into parts, each with the words of one program; its grammar reads the part, and
//! what it finds is that program's. Which grammar that is shows in the line by which a finding
//! begins; a line that no grammar knows is counted. Nothing but what a grammar reads is a finding.

use obelus_record::{Fault, Stream};

use super::{Format, Input, Places, Sink};
use crate::{Positions, Unit};

mod channel;
mod command;
mod frame;
mod relay;
mod speaker;
mod speakers;
mod stamp;

use channel::Channel;

/// See the module.
pub struct BuildLog;

impl Format for BuildLog {
    fn name(&self) -> &'static str {
        "build-log"
    }

    fn summary(&self) -> &'static str {
        "a log of make, ninja, npm or a CI job, in which several tools speak; each in its own text format"
    }

    /// Each finding states the units of the format that read it.
    fn positions(&self) -> Positions {
        Positions::one_based(Unit::CodePoints)
    }

    /// A build tells how it goes in the words of whatever it runs.
    fn silent_when_clean(&self) -> bool {
        false
    }

    fn read(&self, input: &mut Input<'_>, sink: &mut dyn Sink) -> Result<(), Fault> {
        for stream in [Stream::Stdout, Stream::Stderr] {
            read_stream(input, stream, sink)?;
        }
        Ok(())
    }
}

/// Where what is read goes.
struct Out<'o> {
    places: &'o dyn Places,
    sink: &'o mut dyn Sink,
    stream: Stream,
}

fn read_stream(input: &mut Input<'_>, stream: Stream, sink: &mut dyn Sink) -> Result<(), Fault> {
    let places = input.places;
    let mut out = Out { places, sink, stream };
    let mut channels: Vec<(String, Channel)> = vec![(String::new(), Channel::default())];
    let mut lanes = stamp::Lanes::default();
    let mut lines = input.lines(stream);
    let outcome = loop {
        match lines.next() {
            Ok(Some(line)) => {
                let text = line.text();
                let (lane, said) = lanes.split(stamp::unstamped(&text));
                let at = channels.iter().position(|(name, _)| name == lane);
                let at = at.unwrap_or_else(|| {
                    channels.push((lane.to_owned(), Channel::of_lane(lane)));
                    channels.len() - 1
                });
                channels[at].1.take(line.number, said, &mut out);
            }
            Ok(None) => break Ok(()),
            Err(fault) => break Err(fault),
        }
    };
    for (_, channel) in &mut channels {
        channel.end(&mut out);
    }
    outcome
}

#[cfg(test)]
mod tests;
