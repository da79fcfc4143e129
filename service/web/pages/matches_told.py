"""The story of a match for its page, the latest first; kept until the match goes on."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from service.play.story import Story, since
from service.play.views import Looking

MOST_SENTENCES = 60
MOST_KEPT = 128
_kept: OrderedDict[tuple[str, ...], Story] = OrderedDict()
_lock = Lock()


def story(looking: Looking) -> Story:
    """What happened so far, turn by turn, as this reader may know it now."""
    table = looking.table
    viewer = "-" if looking.seat is None else str(looking.seat)
    key = (table.facts.id, table.hash, viewer, looking.locale, *looking.view().names)
    with _lock:
        found = _kept.get(key)
    if found is None:
        forward = since(looking, 0, MOST_SENTENCES)
        found = Story(forward.items[::-1], forward.left_out)
    with _lock:
        _kept[key] = found
        _kept.move_to_end(key)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return found
