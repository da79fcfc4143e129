"""Rule sheet: the rules of a tournament in sentences, made from its document, for emails and pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.games import GAMES
from engine.words import Locale
from service.i18n.catalogue import translate
from service.i18n.dates import format_duration, format_moment
from service.play.time_control import PRESETS
from service.tournaments.documents.document import Prize, StagePlan, TournamentDocument
from service.tournaments.documents.document_schema import CANCEL, MOST_ENTRANTS, NO_BEACON
from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.points import PlacePoints, ScorePoints, SharePoints, WinPoints
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    KNOCKOUT,
    LADDER,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
)
from service.tournaments.views.derivations import format_points, format_units

COUNTED = frozenset({ROUND_ROBIN, SWISS, PODS, SAME_DEAL, DUPLICATE})
"""Formats that rank by points. The others rank by rounds survived, or by the ladder."""
ONE_DEAL = frozenset({SAME_DEAL, DUPLICATE})


@dataclass(frozen=True, slots=True)
class RuleParagraph:
    """A paragraph of the rule sheet."""

    heading: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentences as running text."""
        return " ".join(self.sentences)


def write_rule_sheet(document: TournamentDocument, locale: Locale) -> list[RuleParagraph]:
    """Return the rules of a document: a sentence for every key that matters to a player."""
    writer = _RuleWriter(document, locale)
    parts: list[tuple[str, Iterator[str]]] = [
        (writer.say("heading.about"), writer.tell_about()),
        (writer.say("heading.entry"), writer.tell_entry()),
        *(
            (writer.say("heading.stage", stage=plan.name), writer.tell_stage(plan, at))
            for at, plan in enumerate(document.stages)
        ),
        (writer.say("heading.time"), writer.tell_time()),
        (writer.say("heading.chance"), writer.tell_chance()),
        (writer.say("heading.watching"), writer.tell_watching()),
        (writer.say("heading.prizes"), (writer.tell_prize(prize) for prize in document.prizes)),
    ]
    paragraphs = [RuleParagraph(heading, tuple(sentences)) for heading, sentences in parts]
    return [paragraph for paragraph in paragraphs if paragraph.sentences]


@dataclass(frozen=True)
class _RuleWriter:
    document: TournamentDocument
    locale: Locale

    def say(self, key: str, **values: object) -> str:
        return translate(self.locale, f"rule_sheet.{key}", **values)

    def moment(self, at: int) -> str:
        return format_moment(at, self.document.zone, self.locale)

    def span(self, length: int) -> str:
        return format_duration(length, self.locale)

    def tell_about(self) -> Iterator[str]:
        document = self.document
        values = {"title": document.title[self.locale], "game": GAMES[document.game].presentation.title[self.locale]}
        count = len(document.stages)
        yield self.say("about.one", **values) if count == 1 else self.say("about.several", count=count, **values)
        if document.repeat is not None:
            yield self.say("about.repeat", rule=document.repeat.rule, until=self.moment(document.repeat.until))
        if not document.listed:
            yield self.say("about.hidden")

    def tell_entry(self) -> Iterator[str]:
        entry = self.document.entry
        yield self.say(f"entry.by.{entry.by}")
        yield self._say_times()
        if entry.least > 1:
            yield self.say("entry.least", least=entry.least)
        if entry.most < MOST_ENTRANTS:
            yield self.say("entry.most", most=entry.most)
            yield self.say("entry.reserves", span=self.span(entry.reserves))
        yield from self._tell_limits()
        yield self.say("entry.programs" if entry.programs else "entry.no_programs")
        if entry.late_until:
            yield self.say(f"entry.late_{entry.late_bye}", round=entry.late_until)
        if any(plan.format not in {LADDER, SAME_DEAL} for plan in self.document.stages):
            yield self.say("entry.withdrawn_cancel" if entry.withdrawn == CANCEL else "entry.withdrawn_played")

    def _say_times(self) -> str:
        entry, repeat = self.document.entry, self.document.repeat
        if repeat is not None:
            return self.say("entry.with_repeat", before=self.span(repeat.opens_before))
        if entry.closes is None:
            return self.say("entry.until_end", opens=self.moment(entry.opens or 0))
        return self.say("entry.times", opens=self.moment(entry.opens or 0), closes=self.moment(entry.closes))

    def _tell_limits(self) -> Iterator[str]:
        entry = self.document.entry
        low, high = entry.rating_from, entry.rating_to
        if low is not None and high is not None:
            yield self.say("entry.rating_between", low=low, high=high)
        elif low is not None:
            yield self.say("entry.rating_from", low=low)
        elif high is not None:
            yield self.say("entry.rating_to", high=high)
        if low is not None or high is not None:
            yield self.say("entry.newcomers" if entry.newcomers else "entry.no_newcomers")
        if entry.on_time:
            yield self.say("entry.on_time", percent=entry.on_time)

    def tell_stage(self, plan: StagePlan, at: int) -> Iterator[str]:
        """Yield how and when a stage is played, and what results are worth."""
        yield self.say(f"format.{plan.format}", seats=plan.rules.seats, count=plan.rules.advance)
        yield from self._tell_source(plan)
        yield from self._tell_pairing(plan)
        if plan.bots:
            names = ", ".join(f"{seat}: {bot}" for seat, bot in sorted(plan.bots.items()))
            yield self.say("bots", bots=names)
        yield from self._tell_start(plan, at)
        yield from self._tell_end(plan)
        if plan.format in COUNTED:
            yield from self._tell_points(plan)
            yield from self._tell_ties(plan)

    def _tell_source(self, plan: StagePlan) -> Iterator[str]:
        source = plan.rules.source
        if source is None:
            return
        if source.advance:
            yield self.say("source.advance", count=source.advance, stage=source.stage)
        else:
            key = "source.section_places" if source.each_section else "source.places"
            yield self.say(key, first=source.first, last=source.last, stage=source.stage)

    def _tell_pairing(self, plan: StagePlan) -> Iterator[str]:
        rules = plan.rules
        if rules.rounds is not None:
            yield self.say("rounds", count=rules.rounds)
        if rules.cycles > 1:
            yield self.say("cycles", count=rules.cycles)
        if rules.section_size:
            yield self.say(f"sections.{rules.section_by}", size=rules.section_size)
        if plan.format == SWISS:
            yield self.say(f"system.{rules.system}")
        if plan.format in {PODS, DUPLICATE}:
            yield self.say(f"group.{rules.group}")
        if rules.avoid:
            yield self.say("avoid")
        yield from self._tell_special(plan)

    def _tell_special(self, plan: StagePlan) -> Iterator[str]:
        """Yield the rules of single formats."""
        rules = plan.rules
        if plan.format == KNOCKOUT:
            yield from self._tell_tied_tables(plan)
            if rules.ruleset.names_one_champion:
                yield self.say("champion")
        if plan.format == DOUBLE:
            yield self.say("reset" if rules.reset else "no_reset")
        if plan.format == LADDER:
            yield self.say("ladder.reach", reach=plan.reach, count=plan.at_once)
            yield self.say("ladder.answer", answer=self.span(plan.answer), again=self.span(plan.again_after))
            yield self.say("ladder.places")
            if self.document.leave:
                yield self.say("ladder.leave")
        if plan.format in {SWISS, PODS}:
            yield from self._tell_byes(plan)

    def _tell_tied_tables(self, plan: StagePlan) -> Iterator[str]:
        """Yield how many matches a table plays, and what becomes of ties."""
        rules = plan.rules
        if rules.series is None:
            yield self.say("replay", count=rules.replay) if rules.replay else self.say("no_replay")
            return
        yield self.say("series", count=rules.best_of)
        if rules.replay:
            yield self.say("series_replay", count=rules.replay)
        yield self.say(f"series_tied.{rules.tied}")

    def _tell_byes(self, plan: StagePlan) -> Iterator[str]:
        points = plan.rules.scoring.bye
        yield (
            self.say("bye.mean")
            if points is None
            else self.say("bye.points", points=format_points(points, self.locale))
        )
        if plan.bye.most_asked:
            yield self.say(f"bye.asked_{plan.bye.asked}", count=plan.bye.most_asked)
        else:
            yield self.say("bye.none")

    def _tell_start(self, plan: StagePlan, at: int) -> Iterator[str]:
        start = plan.start
        if start.first is not None:
            yield self.say("start.first", at=self.moment(start.first))
        elif start.hour:
            yield self.say("start.hour", hour=start.hour, zone=self.document.zone)
        elif at and start.next_when_over:
            yield self.say("start.stage_gap", span=self.span(start.gap)) if start.gap else self.say("start.stage")
        if start.at:
            yield self.say("start.at", times="; ".join(self.moment(each) for each in start.at))
        if start.all_at_once:
            yield self.say("start.all")
        elif start.every:
            yield self.say("start.every", span=self.span(start.every))
        elif start.next_when_over and plan.rules.rounds != 1:
            yield self.say("start.gap", span=self.span(start.gap)) if start.gap else self.say("start.over")

    def _tell_end(self, plan: StagePlan) -> Iterator[str]:
        end = plan.end
        if end.at is not None:
            yield self.say("end.at", at=self.moment(end.at))
        elif end.at_most:
            yield self.say("end.at_most", span=self.span(end.at_most))
        else:
            yield self.say("end.open")
            return
        yield self.say("then.lapse" if plan.format == LADDER else f"then.{end.then}")

    def _tell_points(self, plan: StagePlan) -> Iterator[str]:
        if plan.format == DUPLICATE:
            yield self.say("points.deal")
            return
        match plan.rules.scoring.rule:
            case WinPoints(win, draw):
                values = {"win": format_points(win, self.locale), "draw": format_points(draw, self.locale)}
                yield self.say("points.win", **values)
            case PlacePoints(places, short):
                yield self.say("points.places", places=self._row(places))
                if short:
                    yield self.say("points.short", places=self._row(short))
            case SharePoints():
                yield self.say("points.share")
            case ScorePoints():
                yield self.say("points.score")
        if plan.rules.seats > TWO_SEATS:
            yield self.say("points.unfinished")

    def _row(self, points: tuple[int, ...]) -> str:
        return " · ".join(format_units(each, self.locale) for each in points)

    def _tell_ties(self, plan: StagePlan) -> Iterator[str]:
        names = [translate(self.locale, f"derivations.tie.{tie}") for tie in plan.rules.ties.ties]
        yield self.say("ties", ties=", ".join(names)) if names else self.say("ties_none")
        if names and plan.format in {SWISS, ROUND_ROBIN}:
            yield self.say("ties_rules", year=plan.rules.ties.rules)

    def tell_time(self) -> Iterator[str]:
        """Yield clocks, leave, late seats, pauses and reviews."""
        document = self.document
        yield from self._tell_clock()
        if document.clock != "none":
            yield self.say("leave" if document.leave else "no_leave")
            yield from self._tell_late()
        if document.moves == "signed":
            yield self.say("signed")
        for begin, end in document.pauses:
            yield self.say("pause", begin=self.moment(begin), end=self.moment(end))
        if document.review:
            yield self.say("review", span=self.span(document.review))

    def _tell_clock(self) -> Iterator[str]:
        clock = PRESETS[self.document.clock]
        if clock.per_move:
            yield self.say("clock.move", span=self.span(clock.per_move))
        elif clock.bank and clock.every > 1:
            yield self.say("clock.post", bank=self.span(clock.bank), turns=clock.every)
        elif clock.bank:
            yield self.say("clock.bank", bank=self.span(clock.bank), increment=self.span(clock.increment))
        else:
            yield self.say("clock.none")
        if clock.cap:
            yield self.say("clock.cap", cap=self.span(clock.cap))
        if clock.wait:
            yield self.say("clock.wait", span=self.span(clock.wait))
        if clock.weekends:
            yield self.say("clock.weekends")
        if clock.hard:
            yield self.say("clock.hard")

    def _tell_late(self) -> Iterator[str]:
        sizes = {plan.rules.seats for plan in self.document.stages}
        if TWO_SEATS in sizes:
            yield self.say("late.forfeit")
        if sizes - {TWO_SEATS}:
            key = self.document.late_seat
            yield self.say("late.forfeit_table" if key == "forfeit" else f"late.{key}")
        if any(plan.format in {SWISS, PODS} for plan in self.document.stages):
            yield self.say("late.withdrawn")

    def tell_chance(self) -> Iterator[str]:
        """Yield the source of draws and deals, and the risk of a deal that many play."""
        beacon = self.document.beacon
        yield self.say("no_beacon") if beacon == NO_BEACON else self.say("beacon", beacon=beacon)
        if any(plan.format in ONE_DEAL for plan in self.document.stages):
            yield self.say("friend")

    def tell_watching(self) -> Iterator[str]:
        """Yield the rules for spectators, and whether matches are rated."""
        formats = {plan.format for plan in self.document.stages}
        if not formats <= ONE_DEAL:
            yield self.say(f"spectators.{self.document.spectators}")
        yield self.say("rated" if self.document.rated and not formats <= ONE_DEAL else "not_rated")

    def tell_prize(self, prize: Prize) -> str:
        key = "prize.section_" if prize.each_section else "prize."
        key += "one" if prize.first == prize.last else "several"
        return self.say(key, first=prize.first, last=prize.last, title=prize.title[self.locale])
