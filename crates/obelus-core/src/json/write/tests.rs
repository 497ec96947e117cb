use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::*;

fn written<T: Serialize + ?Sized>(value: &T) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut lines = Lines::new(&mut bytes);
    lines.write(value)?;
    lines.finish()?;
    Ok(String::from_utf8(bytes).unwrap())
}

#[track_caller]
fn assert_as_serde_writes_it<T: Serialize + ?Sized>(value: &T) {
    assert_eq!(written(value).unwrap(), serde_json::to_string(value).unwrap() + "\n");
}

#[test]
fn texts_are_escaped_where_they_must_be() {
    let mut all: Vec<char> = ('\0'..='\u{ff}').collect();
    all.extend("注文\u{2028}\u{feff}\u{10ffff}".chars());
    assert_as_serde_writes_it(&all.iter().collect::<String>());
    for length in 0..20 {
        for &c in &all {
            assert_as_serde_writes_it(&format!("{}{c}a", "x".repeat(length)));
        }
    }
    assert_as_serde_writes_it(&all);
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Newtype(Option<i64>);

#[derive(Serialize)]
struct Tuple(u8, f64);

#[derive(Serialize)]
enum Kind {
    Unit,
    Newtype(&'static str),
    Tuple(u8, Vec<Kind>),
    Struct { a: (), b: Option<char> },
}

#[derive(Serialize)]
struct Everything<'a> {
    r#type: &'static str,
    #[serde(rename = "$n")]
    number: i16,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<u32>,
    bytes: &'a [u8],
    units: ((), Unit, bool, bool),
    floats: [f64; 4],
    single: f32,
    numbers: (i8, i16, i32, i64, u8, u16, u32, u64),
    kinds: Vec<Kind>,
    newtype: Newtype,
    tuple: Tuple,
    by_text: BTreeMap<&'static str, Vec<u8>>,
    by_number: BTreeMap<i32, Value>,
    by_truth: BTreeMap<bool, ()>,
    #[serde(flatten)]
    flat: BTreeMap<String, Value>,
}

#[test]
fn every_kind_of_value_is_written_as_serde_writes_it() {
    let kinds = || vec![Kind::Unit, Kind::Newtype("a\"b"), Kind::Struct { a: (), b: Some('\n') }];
    assert_as_serde_writes_it(&Everything {
        r#type: "",
        number: -3,
        absent: None,
        bytes: b"ab",
        units: ((), Unit, true, false),
        floats: [0.1, -1e300, f64::NAN, 3.0],
        single: 0.1,
        numbers: (i8::MIN, -300, 0, i64::MIN, 255, u16::MAX, 7, u64::MAX),
        kinds: vec![
            Kind::Tuple(1, kinds()),
            Kind::Tuple(2, Vec::new()),
            Kind::Struct { a: (), b: None },
        ],
        newtype: Newtype(None),
        tuple: Tuple(9, 0.5),
        by_text: BTreeMap::from([("a\\", vec![1, 2]), ("b", Vec::new())]),
        by_number: BTreeMap::from([(-1, json!({"a": [null, 1.5, "x"]})), (10, json!({}))]),
        by_truth: BTreeMap::from([(false, ()), (true, ())]),
        flat: BTreeMap::from([("more".to_owned(), json!([[], [1]]))]),
    });
}

#[test]
fn what_is_no_key_is_refused() {
    let error = written(&BTreeMap::from([(vec![1], 1)])).unwrap_err();
    assert_eq!(error.to_string(), "a key of an object must be a string");
    assert!(written(&BTreeMap::from([((), 1)])).is_err());
}

/// Takes what it is given, and counts how often.
#[derive(Default)]
struct Counted {
    bytes: Vec<u8>,
    calls: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn much_is_written_in_large_pieces_and_whole() {
    let values: Vec<Value> = (0..20_000).map(|n| json!({"n": n, "s": ["a", "é\n"]})).collect();
    let mut out = Counted::default();
    let mut lines = Lines::new(&mut out);
    lines.write(&values).unwrap();
    for value in &values {
        lines.write(value).unwrap();
    }
    lines.finish().unwrap();
    let each: Vec<String> = values.iter().map(|value| format!("{value}\n")).collect();
    let whole = format!("{}\n{}", serde_json::to_string(&values).unwrap(), each.concat());
    assert!(out.bytes == whole.as_bytes());
    assert_eq!(out.calls, whole.len().div_ceil(CHUNK));
}

#[test]
fn what_the_writer_says_is_told() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut full = Full;
    let mut lines = Lines::new(&mut full);
    let long = vec!["x".repeat(1000); 100];
    assert_eq!(lines.write(&long).unwrap_err().kind(), io::ErrorKind::StorageFull);
}
