"""Hostile and mistaken documents: each fault with its path, line and kind, all at once, and never anything else."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine.words import LOCALES
from service.i18n.catalogue import FOLDER, read_texts
from service.tournaments.documents.document import BadDocument, DocumentFault, TournamentDocument, read_document
from tests.support.tournament_documents import EXAMPLES, LADDER, PODS, ROUND_ROBIN, SAME_DEAL, SWISS, document_context

Row = tuple[str, str, str, str, int, str]


def faults_of(data: bytes | str, **more: object) -> list[tuple[str, int, str]]:
    """Path, line and kind of every fault of a document."""
    with pytest.raises(BadDocument) as refused:
        read_document(data.encode() if isinstance(data, str) else data, document_context(**more))
    for fault in refused.value.faults:
        assert fault.column >= 1
        assert all(fault.describe(locale) for locale in LOCALES)
    return [(fault.path, fault.line, fault.reason.key.split(".")[1]) for fault in refused.value.faults]


CHANGES: list[Row] = [
    # What YAML could do and is not wanted.
    (SWISS, "  most: 40", "  most: 40\n  mots: 3", "/entry/mots", 13, "unknown_key_near"),
    (SWISS, "clock: tournament", "wholly: unknown", "/wholly", 20, "unknown_key"),
    (SWISS, "  most: 40", "  most: 40\n  least: 7", "/entry/least", 13, "double_key"),
    (SWISS, "  most: 40", "  most: &m 40", "/entry/most", 12, "anchor"),
    (SWISS, "  most: 40", "  most: *m", "/entry/most", 12, "alias"),
    (SWISS, "  most: 40", "  most: !!int 40", "/entry/most", 12, "tag"),
    (SWISS, "  most: 40", "  most: !!python/object:os.system 40", "/entry/most", 12, "tag"),
    (SWISS, "  most: 40", "\tmost: 40", "", 12, "tab"),
    (SWISS, "draw: {beacon", "<<: {beacon", "", 18, "merge_key"),
    (SWISS, "draw: {", "? [a, b]\n: x\ndraw: {", "", 18, "key_not_text"),
    (SWISS, "clock: tournament", "clock: tournament\n---\nclock: none", "", 21, "several_documents"),
    (SWISS, "# Two seats, Dutch system.", "%YAML 1.1\n---", "", 1, "directive"),
    (SWISS, "clock: tournament", 'clock: "tournament', "", 20, "yaml_quote"),
    (SWISS, "title: {en: Winter", "title: {en: [Winter", "", 3, "yaml_bracket"),
    (SWISS, "clock: tournament", "clock: a: b", "", 20, "yaml_colon"),
    (SWISS, "clock: tournament", "clock: @home", "", 20, "yaml_sign"),
    (LADDER, '"long-ladder"', '"long-\\ud83dladder"', "/tournament", 2, "half_character"),
    (LADDER, '"reach": 6', '"reach": 6, "reach": 7', "/stages/0/reach", 8, "double_key"),
    # Values of a wrong kind.
    (SWISS, "game: tain", "game: [tain]", "/game", 4, "not_scalar"),
    (SWISS, "game: tain", "game: chess", "/game", 4, "not_choice"),
    (SWISS, "clock: tournament", "clock: turnament", "/clock", 20, "not_choice_near"),
    (SWISS, "most: 40", "most: many", "/entry/most", 12, "not_number"),
    (SWISS, "most: 40", "most: '40'", "/entry/most", 12, "not_number"),
    (SWISS, "most: 40", "most: 1e9", "/entry/most", 12, "not_number"),
    (SWISS, "most: 40", "most: .nan", "/entry/most", 12, "not_number"),
    (SWISS, "most: 40", "most: 99999999999999999999999", "/entry/most", 12, "not_number"),
    (SWISS, "most: 40", "most: 20001", "/entry/most", 12, "number_range"),
    (SWISS, "most: 40", "most: 0x28", "/entry/most", 12, "not_number"),
    (SWISS, "programs: no", "programs: maybe", "/entry/programs", 15, "not_flag"),
    (SWISS, "win: 3", "win: .inf", "/stages/0/points/win", 29, "not_points"),
    (SWISS, "win: 3", "win: 3.00001", "/stages/0/points/win", 29, "not_points"),
    (SWISS, "win: 3", "win: -1", "/stages/0/points/win", 29, "not_points"),
    (SWISS, "en: Winter Táin", "en: 2027", "/title/en", 3, "not_text"),
    (SWISS, "en: Winter Táin", 'en: "a\\u202eb"', "/title/en", 3, "text_sign"),
    (SWISS, "en: Winter Táin", 'en: "a\\0b"', "/title/en", 3, "text_sign"),
    (SWISS, "tournament: tain-winter", "tournament: Täin", "/tournament", 2, "name_form"),
    (SWISS, "tournament: tain-winter", "tournament: plan", "/tournament", 2, "name_reserved"),
    (SWISS, "tournament: tain-winter\n", "", "", 2, "missing_key"),
    (SWISS, "entry:\n", "entry: soon\nx:\n", "/entry", 8, "not_map"),
    (SWISS, "organisers: [maeve, ronan]", "organisers: maeve", "/organisers", 7, "not_list"),
    (SWISS, "gap: 1d", "gap: 1 day", "/stages/0/start/gap", 27, "not_length"),
    (SWISS, "at_most: 4w", "at_most: 53w", "/stages/0/end/at_most", 28, "length_range"),
    (SWISS, "places: 1,", "places: 4-1,", "/prizes/0/places", 34, "places_backwards"),
    # Times.
    (SWISS, "opens: 2026-12-05T19:00", "opens: 2026-11-05T19:00", "/entry/opens", 9, "past_time"),
    (SWISS, "opens: 2026-12-05T19:00", "opens: 2026-12-05", "/entry/opens", 9, "time_without_hour"),
    (SWISS, "opens: 2026-12-05T19:00", "opens: 2026-02-30T19:00", "/entry/opens", 9, "no_such_time"),
    (SWISS, "opens: 2026-12-05T19:00", "opens: 2026-12-05T19:00+99:99", "/entry/opens", 9, "no_such_time"),
    (SWISS, "opens: 2026-12-05T19:00", "opens: tomorrow", "/entry/opens", 9, "not_time"),
    (SWISS, "to: 2027-02-24T00:00", "to: 9999-12-31T23:59", "/pauses/0/to", 19, "far_time"),
    (SWISS, "to: 2027-02-24T00:00", "to: 2027-02-19T00:00", "/pauses/0/to", 19, "pause_backwards"),
    (SWISS, "closes: 2027-01-15", "closes: 2026-12-01", "/entry/closes", 10, "closes_before_opens"),
    (SWISS, "first: 2027-01-17T19:00", "first: 2027-01-15T19:59", "/stages/0/start/first", 27, "start_too_soon"),
    (SWISS, "first: 2027-01-17T19:00, ", "", "/stages/0/start", 27, "start_missing"),
    (SWISS, "first: 2027-01-17T19:00", 'first: "19:00"', "/stages/0/start/first", 27, "first_without_day"),
    (SWISS, "gap: 1d", "every: 1d", "/stages/0/start", 27, "start_twice"),
    (SWISS, "first: 2027-01-17T19:00, next: when-over, gap: 1d", "at: [2027-01-17T19:00]",
     "/stages/0/start/at", 27, "times_of_rounds"),
    (ROUND_ROBIN, "2027-05-31T18:00", "2027-01-20T18:30", "/stages/0/end/at", 17, "end_before_start"),
    (SWISS, "zone: Europe/Paris", "zone: Europe/Pariss", "/zone", 6, "unknown_zone"),
    (SWISS, "clock: tournament\n", "clock: none\n", "", 0, ""),
    # People, options, bots.
    (SWISS, "[maeve, ronan]", "[maeve, nobody]", "/organisers/1", 7, "unknown_person"),
    (SWISS, "[maeve, ronan]", "[maeve, twins]", "/organisers/1", 7, "ambiguous_person"),
    (SWISS, "[maeve, ronan]", "[maeve, maeve2222222222a]", "/organisers/1", 7, "person_twice"),
    (SWISS, "[maeve, ronan]", f"[{', '.join(['maeve'] * 21)}]", "/organisers", 7, "list_length"),
    (SWISS, "marker: fixed", "markers: fixed", "/options/markers", 5, "unknown_option"),
    (SWISS, "marker: fixed", "marker: 5", "/options/marker", 5, "option_value"),
    (SAME_DEAL, "{1: balor}", "{1: nobody}", "/stages/0/bots/1", 13, "unknown_bot"),
    (SAME_DEAL, "{1: balor}", "{0: steady, 1: steady}", "/stages/0/bots", 13, "same_deal_seats"),
    (SAME_DEAL, "{1: balor}", "{1: steady}\n    seat: 1", "/stages/0/seat", 14, "seat_of_bot"),
    (PODS, "rounds: 4", "rounds: 4\n    bots: {1: steady, 2: steady, 3: steady}",
     "/stages/0/bots", 14, "bots_leave_no_table"),
    # Rules of formats.
    (SWISS, "format: swiss", "format: suisse", "/stages/0/format", 25, "not_choice_near"),
    (SWISS, "    rounds: 6\n", "", "/stages/0", 24, "rounds_missing"),
    (SWISS, "rounds: 6", "rounds: 31", "/stages/0/rounds", 26, "number_range"),
    (SWISS, "rounds: 6", "rounds: 6\n    cycles: 2", "/stages/0/cycles", 27, "key_of_format"),
    (SWISS, "rounds: 6", "rounds: 6\n    seats: 4", "/stages/0/seats", 27, "seats_of_format"),
    (PODS, "seats: 4\n    rounds: 4", "seats: 5\n    rounds: 4", "/stages/0/points/places", 16, "points_length"),
    (PODS, "[7, 4, 2, 0]", "[0, 2, 4, 7]", "/stages/0/points/places", 16, "points_rise"),
    (SWISS, "draw: 1.5", "draw: 4", "/stages/0/points/draw", 29, "draw_over_win"),
    (SWISS, "most: 40", "most: 65", "/entry/most", 12, "dutch_most"),
    (SWISS, "[buchholz, direct, lots]", "[buchholz, firsts]", "/stages/0/ties/1", 31, "tie_of_seats"),
    (SWISS, "[buchholz, direct, lots]", "[lots, lots]", "/stages/0/ties/1", 31, "tie_twice"),
    (SWISS, "until_round: 2", "until_round: 7", "/entry/late/until_round", 16, "late_after_end"),
    (SWISS, "leave: no", "leave: yes", "/leave", 22, "leave_of_clock"),
    (SWISS, "programs: no", "withdrawn: cancel-if-under-half", "/entry/withdrawn", 15, "cancel_without_robin"),
    (SWISS, "title: Winner", "each: section, title: Winner", "/prizes/0/each", 34, "prize_without_sections"),
    (ROUND_ROBIN, "size: 6", "size: 20", "/stages/0/sections/size", 15, "section_rounds"),
    (ROUND_ROBIN, "    sections: {size: 6}\n", "", "/entry/most", 8, "robin_most"),
    (ROUND_ROBIN, "closes: 2027-01-10T18:00", "closes: with-end", "/entry/closes", 6, "closes_with_end"),
    (ROUND_ROBIN, "opens: 2026-12-01T18:00", "opens: with-repeat", "/entry/opens", 5, "opens_with_repeat"),
    (LADDER, '"at_once": 2', '"at_once": 20', "", 0, ""),
    (PODS, "rounds: 1", "rounds: 1\n    best_of: 4", "/stages/1/best_of", 22, "best_of_even"),
    (PODS, "rounds: 1", "rounds: 1\n    best_of: 3", "/stages/1/best_of", 22, "best_of_seats"),
    (PODS, "rounds: 1", "rounds: 1\n    tied: score", "/stages/1/tied", 22, "tied_alone"),
    (PODS, "least: 12", "least: 5", "/entry/least", 5, "least_not_seated"),
    (PODS, "least: 12", "least: 5001", "/entry/least", 5, "least_over_most"),
    # Stages among each other.
    (PODS, "stage: tables", "stage: semi", "/stages/1/from/stage", 20, "from_itself"),
    (PODS, "stage: tables", "stage: last", "/stages/1/from/stage", 20, "from_later"),
    (PODS, "stage: tables", "stage: elsewhere", "/stages/1/from/stage", 20, "from_unknown"),
    (PODS, "    from: {stage: tables, places: 1-16}\n", "", "/stages/1", 17, "from_missing"),
    (PODS, "places: 1-16", "places: 1-16, advance: 1", "/stages/1/from", 20, "from_what"),
    (PODS, "places: 1-16", "places: 1", "/stages/1/from/places", 20, "one_place"),
    (PODS, "places: 1-16", "places: 1-16, each: section", "/stages/1/from/each", 20, "no_sections"),
    (PODS, "advance: 1", "advance: 4", "/stages/2/from/advance", 26, "advance_all"),
    (PODS, "- name: last", "- name: semi", "/stages/2/name", 23, "stage_twice"),
    (PODS, "start: {next: when-over}", "start: {}", "/stages/2/start", 27, "later_start_missing"),
    (PODS, "{next: when-over}", "{first: 2027-01-09T18:00Z}", "/stages/2/start/first", 27, "stage_too_soon"),
    # Ends and repetition.
    (SAME_DEAL, "    end: {at_most: 10d, then: as-it-stands}\n", "", "/stages/0", 11, "clock_without_end"),
    (SAME_DEAL, "at_most: 10d, then", "then", "/stages/0/end", 15, "clock_without_end"),
    (LADDER, ', "end": {"at": "2027-12-31T18:00:00Z"}', "", "/stages/0", 8, "end_missing"),
    (SAME_DEAL, "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=SECONDLY", "/repeat/rule", 4, "rule_word"),
    (SAME_DEAL, "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=DAILY", "/repeat/rule", 4, "rule_too_often"),
    (SAME_DEAL, "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "/repeat/rule", 4, "rule_never"),
    (SAME_DEAL, "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=1", "/repeat/rule", 4, "rule_empty"),
    (SAME_DEAL, ", until: 2027-10-31", "", "/repeat", 4, "missing_key"),
    (SAME_DEAL, "opens: with-repeat", "opens: 2026-12-01T18:00", "/entry/opens", 6, "repeat_opens"),
    (SAME_DEAL, 'first: "08:30"', "first: 2027-01-01T08:30", "/stages/0/start/first", 14, "first_of_repeat"),
    (SAME_DEAL, "rival-of-the-month", "rival-of-the-month-in-all-years", "/tournament", 1, "name_of_repeat"),
    (SAME_DEAL, "{1: balor}", "{3: steady}", "/stages/0/bots/3", 13, "bot_seat"),
    (SWISS, "at_most: 4w, ", "", "/stages/0/end", 28, "end_empty"),
    (ROUND_ROBIN, "{at: 2027-05-31T18:00}", "{at: 2027-05-31T18:00, at_most: 2w}", "/stages/0/end", 17, "end_twice"),
    (PODS, "rounds: 4", "rounds: 4\n    from: {stage: semi, places: 1-4}", "/stages/0/from", 14, "from_first"),
    (ROUND_ROBIN, "all: yes", "gap: 1d", "/stages/0/start/gap", 16, "gap_alone"),
    (SWISS, "game: tain", "game:", "/game", 4, "not_choice"),
    (SWISS, "tournament: tain-winter", "tournament:", "/tournament", 2, "is_empty"),
    (SAME_DEAL, "{1: balor}", "{one: balor}", "/stages/0/bots/one", 13, "key_form"),
    (ROUND_ROBIN, "spectators: now", "options: [x]", "/options", 10, "not_map_of_values"),
    (SWISS, "marker: fixed", "marker: [fixed]", "/options/marker", 5, "not_setting"),
    (ROUND_ROBIN, "least: 4", "late: {until_round: 1}", "/entry/late", 7, "late_of_format"),
    (SWISS, "places: 1,", "places: first,", "/prizes/0/places", 34, "not_places"),
    (PODS, "places: 1-16", "places: 1-20001", "/stages/1/from/places", 20, "places_too_many"),
    (LADDER, '"first": "2027-01-01T18:00:00+01:00"', '"first": "2027-01-01T18:00Z", "every": "1w"',
     "/stages/0/start/every", 9, "one_round"),
    (LADDER, "}\n  ]", '},\n{"name": "b", "format": "knockout", "from": {"stage": "ladder", "advance": 1},\n'
     '"start": {"next": "when-over"}}\n  ]', "/stages/1/from/advance", 10, "no_tables"),
    (SWISS, "00}]", "00}, {from: 2027-02-22T00:00, to: 2027-02-26T00:00}]", "/pauses/1/from", 19, "pauses_overlap"),
    (SWISS, "to: null", "to: 1000", "/entry/rating", 14, "rating_backwards"),
    (SAME_DEAL, "closes: with-end", "closes: 2027-01-01T18:00", "/entry/closes", 6, "repeat_closes"),
    (SAME_DEAL, "at_most: 10d", "at: 2027-02-01T18:00", "/stages/0/end/at", 15, "time_in_repeat"),
    (SAME_DEAL, "format: same-deal\n", "format: same-deal\n    seats: 3\n", "/stages/0/bots", 14, "same_deal_seats"),
    (PODS, "rounds: 4", "rounds: 4\n    bots: {3: balor}", "/stages/0/bots", 14, "rival_seats"),
    (PODS, "late_seat: substitute", "options: {balor: easy}", "/options/balor", 7, "option_value"),
    (SAME_DEAL, "bots: {1: balor}", "bots: {1: steady}\n    options: {balor: hard}", "/stages/0/options/balor", 14,
     "rival_without_bot"),
    (SAME_DEAL, "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=MONTHLY;FREQ=DAILY", "/repeat/rule", 4, "rule_twice"),
    (SAME_DEAL, "format: same-deal\n", "format: same-deal\n    seats: 1\n", "/stages/0/seats", 13, "seats_of_game"),
    (PODS, "seats: 4\n    rounds: 4", "seats: 5\n    rounds: 4", "/stages/0/points/short", 16, "points_length"),
    (SWISS, "- name: main", "- name: Main", "/stages/0/name", 24, "stage_name"),
    (LADDER, "2027-01-01T18:00:00+01:00", "2026-12-10T18:00:00Z", "/stages/0/start/first", 9, "start_before_opening"),
    (SWISS, "Winter Táin", "Winter " + "Táin" * 20, "/title/en", 3, "text_length"),
    (ROUND_ROBIN, "first: 2027-01-20T18:00, all: yes", "at: [2027-01-21T18:00, 2027-01-20T18:00]",
     "/stages/0/start/at", 16, "times_not_rising"),
    (LADDER, '"long-ladder"', '"long-\\qladder"', "", 2, "yaml_escape"),
    (SWISS, "  closes:", " closes:", "", 10, "yaml_indent"),
    (SWISS, "leave: no", "leave", "", 23, "yaml_no_colon"),
    (SWISS, "at_most: 4w", "at: 2027-05-31T18:00", "/stages/0/end/at", 28, "end_of_rounds"),
    # Seen by an attacker and by a clumsy organiser, over HTTP.
    (SWISS, "closes: 2027-01-15T19:00", "closes: 9999-12-31T23:59:59Z", "/entry/closes", 10, "far_time"),
    (SWISS, "to: 2027-02-24T00:00", "to: 9999-12-31T23:59:59Z", "/pauses/0/to", 19, "far_time"),
    (SWISS, "closes: 2027-01-15T19:00", "closes: 2027-02-30T19:00", "/entry/closes", 10, "no_such_time"),
    (SWISS, "closes: 2027-01-15T19:00", "closes: 2027-01-15T19:00+99:99", "/entry/closes", 10, "no_such_time"),
    (SWISS, "most: 40", "most: ٤٠", "/entry/most", 12, "not_number"),
    (SWISS, "gap: 1d", "gap: ١d", "/stages/0/start/gap", 27, "not_length"),
    (SWISS, "game: tain", 'game: tain\n"\\u0067ame": tain', "/game", 5, "double_key"),
    (SWISS, "game: tain", "ｇame: tain", "/ｇame", 4, "unknown_key_near"),
    (SWISS, "Winter Táin", '"Winter\\nBcc: x@example.com"', "/title/en", 3, "text_sign"),
    (SWISS, "Winter Táin", "Winter \u202eniáT", "/title/en", 3, "text_sign"),
    (SWISS, "- name: main", '- name: "main\\nend 00"', "/stages/0/name", 24, "stage_name"),
    (SWISS, "zone: Europe/Paris", "zone: ../../etc/passwd", "/zone", 6, "unknown_zone"),
    (SWISS, "win: 3,", "win: 1e9,", "/stages/0/points/win", 29, "not_points"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "old", "new", "path", "line", "kind"), CHANGES, ids=lambda value: str(value)[:40] if value else "-"
)
def test_a_fault_is_found_where_it_stands(text: str, old: str, new: str, path: str, line: int, kind: str) -> None:
    assert old in text
    changed = text.replace(old, new, 1)
    if kind:
        assert (path, line, kind) in faults_of(changed)
    else:
        read_document(changed.encode(), document_context())


def test_every_fault_is_told_at_once() -> None:
    text = SWISS.replace("game: tain", "game: chess").replace("most: 40", "most: x").replace("gap: 1d", "gap: 1")
    text = text.replace("[maeve, ronan]", "[nobody]").replace("late_seat: forfeit", "late_set: forfeit")
    text = text.replace("  on_time: 75", "  on_time: &a 75\n  on_time: 4")
    assert [kind for _, _, kind in faults_of(text)] == [
        *("not_choice", "unknown_person", "not_number", "anchor", "double_key", "unknown_key_near", "not_length"),
    ]


WHOLE: list[tuple[bytes, int, str]] = [
    (b"", 1, "empty"),
    (b"# nothing\n", 1, "empty"),
    (b"- a\n- b\n", 1, "not_document"),
    (b"tournament\n", 1, "not_document"),
    (b"\xef\xbb\xbftournament: a\ngame: \xff\n", 2, "not_utf8"),
    (SWISS.encode("utf-16"), 1, "utf16"),
    (b"\xef\xbb\xbf", 1, "empty"),
    (b"tournament: a\ngame: \xff\n", 2, "not_utf8"),
    (b"tournament: a\ngame: b\x00\n", 2, "control_character"),
    (b"#" * 65_537, 1, "too_large"),
    (b"[" * 65_000, 1, "too_deep"),
    (b"{a: " * 16_000, 1, "too_deep"),
    (b"- " * 30_000, 1, "too_deep"),
    (b"[" + b"1," * 32_000 + b"]", 1, "too_many_values"),
    (b"a: [b, c", 1, "yaml_bracket"),
    (b'"\\UFFFFFFFF"', 1, "not_yaml"),
]


@pytest.mark.parametrize(("data", "line", "kind"), WHOLE, ids=lambda value: str(value)[:30])
def test_a_text_that_is_no_document_is_refused(data: bytes, line: int, kind: str) -> None:
    found = faults_of(data)
    assert (found[0][1], found[0][2]) == (line, kind)


def test_a_document_that_grows_by_aliases_or_length_is_refused_at_once() -> None:
    laughs = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{one}: &{one} [{', '.join([f'*{before}'] * 9)}]\n" for before, one in zip("abcdefgh", "bcdefghi", strict=True)
    )
    begin = time.process_time()
    assert faults_of(laughs)
    assert faults_of("tournament: " + "x" * 65_000)
    assert len(faults_of("k: v\n" * 13_000)) == 200
    assert faults_of("a: [" + "&a " * 20_000)
    assert time.process_time() - begin < 10


def test_more_matches_at_once_than_one_may_have_open_are_refused() -> None:
    assert faults_of(ROUND_ROBIN, most_open=9) == [("/stages/0/start/all", 16, "too_many_at_once")]
    assert faults_of(LADDER, most_open=3) == [("/stages/0/at_once", 8, "too_many_at_once")]


def test_every_kind_of_fault_has_a_document_that_has_it() -> None:
    # Guards behind other checks, which no document is known to reach.
    known = {key.split(".")[1] for key in read_texts([FOLDER / "tournament_document.toml"]) if key.endswith(".reason")}
    seen = {row[5] for row in CHANGES} | {row[2] for row in WHOLE}
    seen |= {"too_many_at_once"}
    assert sorted(known - seen) == ["options_refused", "rule_unread", "stages_refused"]


SIGNS = "- : , [ ] { } ' \" & * ! | > # % @ ` \\ ~ <<: a: é"
VALUES = "null yes no 0 -1 1e9 .nan .inf 2027-01-01 18:00"
WORDS = st.sampled_from([*SIGNS.split(), *VALUES.split(), "\t", "\n", "\x00"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=300))
@example(b"\xff\xfe")
@example(b'"\\ud800"')
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    read_or_refuse(data)


def read_or_refuse(data: bytes) -> TournamentDocument | None:
    """Return the document, or None if it is refused. Any other error fails the test."""
    faults: tuple[DocumentFault, ...] = ()
    try:
        return read_document(data, document_context())
    except BadDocument as refused:
        faults = refused.faults
    assert faults
    assert all(fault.describe("fr") for fault in faults[:5])
    return None


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(list(EXAMPLES.values())), st.data())
def test_a_good_document_with_wounds_is_refused_or_read(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        until = min(len(text), at + data.draw(st.integers(0, 12)))
        text = text[:at] + data.draw(WORDS) + text[until:]
    read_or_refuse(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(list(EXAMPLES.values())), st.data())
def test_a_good_document_with_lines_lost_or_exchanged_is_refused_or_read(text: str, data: st.DataObject) -> None:
    others = [line for each in EXAMPLES.values() for line in each.splitlines()]
    lines = text.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at : at + 1] = data.draw(
            st.sampled_from([[], [data.draw(st.sampled_from(others))], [lines[at], lines[0]]])
        )
        lines = lines or ["x: y"]
    document = read_or_refuse("\n".join(lines).encode())
    if document is not None:
        assert document.stages
