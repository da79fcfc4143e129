"""Versions of the counting rules. A log is always counted by the version that its document names."""

from __future__ import annotations

from enum import StrEnum


class Ruleset(StrEnum):
    """Version of the counting rules, as the key `ruleset` of a document names it.

    Each property is one difference between versions. Add a member and a property to change a rule: a finished
    tournament must be verified by the rules under which it was played.
    """

    FIRST = ""
    """Documents from before the key existed."""
    NOVEMBER_2026 = "2026-11"

    @property
    def counts_losses(self) -> bool:
        """True if double elimination ranks by losses and round of elimination, not by the first loss.

        Without `reset` the final then ends the stage even if somebody withdrew earlier.
        """
        return self is not Ruleset.FIRST

    @property
    def names_one_champion(self) -> bool:
        """True if a knockout has one champion, and nobody who left ranks above those who finished.

        A tied last table is replayed or won by the better seed. An unfinished seat ranks behind the finished ones. A
        finalist who withdrew before the final ranks behind the other finalist.
        """
        return self is not Ruleset.FIRST

    @property
    def pairs_as_endorsed(self) -> bool:
        """True if a Swiss is paired as the engines endorsed by FIDE pair it, colours included.

        First colours skip the numbers of players who have not been paired yet. A bracket makes as many pairs as it can
        (C6) before it looks at the scores of those who are left (C7).
        """
        return self is not Ruleset.FIRST

    @property
    def seeds_by_hand(self) -> bool:
        """True if `ruling seed` decides who gets the first numbers. Before, such a line changed nothing."""
        return self is not Ruleset.FIRST


NEWEST = Ruleset.NOVEMBER_2026
"""Version for new documents."""
RULESETS = tuple(each.value for each in Ruleset if each.value)
"""Versions that a document may name."""
