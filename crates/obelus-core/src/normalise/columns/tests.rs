use super::*;

fn text(source: &str) -> Source {
    of_bytes(source.as_bytes(), LineEnds::Usual)
}

fn of_bytes(bytes: &[u8], ends: LineEnds) -> Source {
    Source::new(SourceText::new(Arc::from(bytes), ends))
}

fn column(source: &str, column: u32, unit: Unit) -> Option<u32> {
    convert(Span::at(1, column), Positions::one_based(unit), Some(&text(source))).column
}

#[test]
fn a_column_counts_code_points_in_the_end() {
    // é takes 2 bytes and 1 unit, 🙂 takes 4 bytes and 2 units, a tab 1 of each.
    let line = "\té🙂x\r\n";
    assert_eq!(column(line, 9 - 1, Unit::Bytes), Some(4));
    assert_eq!(column(line, 5, Unit::Utf16), Some(4));
    assert_eq!(column(line, 4, Unit::CodePoints), Some(4));
}

#[test]
fn drawn_columns_follow_tab_stops_and_wide_characters() {
    let cells = Unit::display_cells(8);
    // The tab takes cells 1 to 8, `ab` 9 and 10, the second tab 11 to 16.
    assert_eq!(column("\tab\tx", 17, cells), Some(5));
    // A tab before the place is reached only in part where the place lies within it.
    assert_eq!(column("\tab", 5, cells), Some(2));
    assert_eq!(column("漢🙂x", 5, cells), Some(3));
    // `e` and its accent are one cell; the place behind them is that of `x`.
    assert_eq!(column("e\u{301}x", 2, cells), Some(3));
    assert_eq!(column("\té x", 5, Unit::display_cells(4)), Some(2));
    let tabbed = |width| Unit::Drawn { width, tab: 8 };
    assert_eq!(column("\té🙂x", 9 + 6, tabbed(Width::Bytes)), Some(4));
    assert_eq!(column("\té🙂x", 9 + 3, tabbed(Width::Utf16)), Some(4));
    assert_eq!(column("\té🙂x", 9 + 2, tabbed(Width::CodePoints)), Some(4));
    assert_eq!(column("\tx", 20, cells), Some(13));
}

#[test]
fn a_byte_order_mark_is_no_character() {
    assert_eq!(column("\u{FEFF}éx\n", 3, Unit::Bytes), Some(2));
}

#[test]
fn beyond_the_line_each_unit_counts_one() {
    assert_eq!(column("é\n", 5, Unit::Bytes), Some(4));
    assert_eq!(column("ab\n", 9, Unit::Utf16), Some(9));
}

#[test]
fn bases_and_inclusive_ends() {
    let positions = Positions {
        line_base: 0,
        column_base: 0,
        end: End::Inclusive,
        ..Positions::one_based(Unit::Utf16)
    };
    let range = convert(Span::between((0, 2), (0, 4)), positions, Some(&text("🙂abcd\n")));
    assert_eq!(
        range,
        Range { line: Some(1), column: Some(2), end_line: Some(1), end_column: Some(5) }
    );
}

#[test]
fn offsets_need_the_text() {
    let positions = Positions::one_based(Unit::Utf16);
    let span = Span::Offsets { start: 4, end: 6 };
    assert_eq!(convert(span, positions, None), Range::default());
    let start = convert(Span::Offset(4), positions, Some(&text("\u{FEFF}a🙂\nbcd")));
    assert_eq!(start, Range { line: Some(2), column: Some(1), ..Range::default() });
    let range = convert(span, positions, Some(&text("\u{FEFF}a🙂\nbcd")));
    assert_eq!(
        range,
        Range { line: Some(2), column: Some(1), end_line: Some(2), end_column: Some(3) }
    );
}

/// The place before each character, found by walking through all of them.
fn walked(source: &str, unit: Unit) -> Vec<(u64, (u32, u32))> {
    let (mut offset, mut line, mut column) = (0, 1, 1);
    let mut places = Vec::new();
    for c in source.trim_start_matches('\u{FEFF}').chars() {
        places.push((offset, (line, column)));
        offset += width(c, 0, unit) as u64;
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    places.push((offset, (line, column)));
    places
}

#[test]
fn an_offset_is_the_place_that_walking_there_comes_to() {
    for source in
        ["", "ab\ncd", "\u{FEFF}ab\r\ncd\r\n", "ab\né🙂x\r\n\r\n🙂\nz\n", "\u{FEFF}注文\n\n🙂🙂é"]
    {
        for unit in [Unit::Bytes, Unit::Utf16, Unit::CodePoints] {
            let text = text(source);
            let places = walked(source, unit);
            for &(offset, place) in &places {
                assert_eq!(text.place(offset, unit), Some(place), "{source:?} {offset}");
            }
            let end = places.last().unwrap().0;
            assert_eq!(text.place(end + 1, unit), None, "{source:?}");
        }
    }
}

#[test]
fn an_offset_into_a_character_is_that_of_the_next() {
    let text = text("é\n🙂x\n");
    assert_eq!(text.place(3, Unit::Utf16), Some((2, 2)));
    assert_eq!(text.place(4, Unit::Utf16), Some((2, 2)));
}

#[test]
fn offsets_count_lines_as_the_language_ends_them() {
    let text = of_bytes("é\u{2028}🙂b\rc".as_bytes(), LineEnds::EcmaScript);
    assert_eq!(text.place(4, Unit::Utf16), Some((2, 2)));
    assert_eq!(text.place(6, Unit::Utf16), Some((3, 1)));
}

#[test]
fn in_what_is_not_utf_8_only_offsets_into_the_ascii_before_it_are_known() {
    let text = of_bytes(b"ab\ncd\xE9\nx", LineEnds::Usual);
    assert_eq!(text.place(5, Unit::Utf16), Some((2, 3)));
    assert_eq!(text.place(6, Unit::Utf16), None);
    assert_eq!(text.place(7, Unit::Bytes), Some((3, 1)));
}

#[test]
fn lines_end_as_the_language_says() {
    let ecma = SourceText::new(Arc::from("a\u{2028}b\rc\r\nd".as_bytes()), LineEnds::EcmaScript);
    assert_eq!(ecma.line_count(), 4);
    assert_eq!(ecma.line(2), Some(&b"b"[..]));
    assert_eq!(ecma.line(4), Some(&b"d"[..]));
    assert_eq!(text("a\u{2028}b\rc\r\nd").text.line_count(), 2);
}

#[test]
fn what_is_no_place_is_absent() {
    let range = |line, column, end_line, end_column| Range { line, column, end_line, end_column };
    for (told, kept) in [
        ((Some(0), Some(3), Some(1), Some(4)), (None, None, None, None)),
        ((Some(2), Some(0), Some(2), Some(4)), (Some(2), None, Some(2), Some(4))),
        ((Some(2), Some(3), Some(0), Some(4)), (Some(2), Some(3), None, None)),
        ((Some(2), Some(3), Some(2), Some(0)), (Some(2), Some(3), Some(2), None)),
        ((Some(2), Some(3), Some(1), Some(9)), (Some(2), Some(3), None, None)),
        ((Some(2), Some(3), Some(2), Some(2)), (Some(2), Some(3), None, None)),
        ((Some(2), Some(3), Some(2), Some(3)), (Some(2), Some(3), Some(2), Some(3))),
    ] {
        let [told, kept] = [told, kept].map(|(a, b, c, d)| range(a, b, c, d));
        assert_eq!(Range::sound(told), kept, "{told:?}");
        assert_eq!(told.is_sound(), told == kept);
    }
}
