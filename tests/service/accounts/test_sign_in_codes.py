"""Sign-in codes: the same for addresses with and without an account, and few to a new address."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256

import pytest

from service.accounts import players, sign_in_codes, token_codes
from service.accounts.email_address import keyed_hash
from service.db import server_secrets
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import CodeRow, PlayerRow
from service.matches import erasure
from service.problems import Problem
from service.timestamps import now
from tests.support.mailbox import person
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("service", "clock")
NEW = "nuala@example.org"


def sent_codes() -> list[str]:
    """The codes of the letters that were sent, the oldest first."""
    found = rows("select payload from job where substr(key, 1, 6) = 'enter:' and payload <> '{}' order by id")
    return [json.loads(payload)["code"] for (payload,) in found]


def test_a_new_address_enters_with_the_code_and_a_name_and_is_confirmed_then() -> None:
    asked = sign_in_codes.request_code(NEW, "fr")
    (code,) = sent_codes()
    assert len(code) == 6
    entry = sign_in_codes.check_code(asked.id, NEW, code)
    assert entry.player is None
    assert not PlayerRow.select().exists()
    player = sign_in_codes.register(entry.ticket, NEW, "Nuala", "fr", "Europe/Paris")
    row = players.find(player)
    assert (row.name, row.address, row.language, row.zone) == ("Nuala", NEW, "fr", "Europe/Paris")
    assert row.confirmed_at is not None
    with pytest.raises(Problem):
        sign_in_codes.check_code(asked.id, NEW, code)
    with pytest.raises(Problem):
        token_codes.check_code(asked.id, code, now())
    with pytest.raises(Problem, match="used"):
        sign_in_codes.register(entry.ticket, "other@example.org", "Other", "en", "UTC")


def test_a_code_cannot_be_guessed_from_what_is_stored_of_it_without_the_secret_of_the_server() -> None:
    asked = sign_in_codes.request_code(NEW, "en")
    (code,), row = sent_codes(), CodeRow.get_by_id(asked.id)
    assert row.hash == hmac.digest(server_secrets.get_secret("code"), f"{asked.id}\n{code}".encode(), "sha256").hex()
    assert row.hash != sha256(f"{asked.id}\n{code}".encode()).hexdigest()
    # One from the version before cannot be used any more.
    execute("update code set hash = ?", sha256(f"{asked.id}\n{code}".encode()).hexdigest())
    with pytest.raises(Problem):
        sign_in_codes.check_code(asked.id, NEW, code)


def test_who_has_an_account_enters_with_the_code_alone() -> None:
    aoife = person()
    asked = sign_in_codes.request_code(str(aoife.address), "fr")
    (code,) = sent_codes()
    assert sign_in_codes.check_code(asked.id, str(aoife.address), code).player == aoife.id
    with pytest.raises(Problem):
        sign_in_codes.check_code(asked.id, str(aoife.address), code)


def test_a_code_is_good_for_its_own_address_only() -> None:
    asked = sign_in_codes.request_code(NEW, "en")
    with pytest.raises(Problem, match="used"):
        sign_in_codes.check_code(asked.id, "other@example.org", sent_codes()[0])


def test_five_wrong_codes_spend_a_request(clock: Clock) -> None:
    asked = sign_in_codes.request_code(NEW, "en")
    code = sent_codes()[0]
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for left in (4, 3, 2, 1, 0):
        with pytest.raises(Problem) as refusal:
            sign_in_codes.check_code(asked.id, NEW, wrong)
        assert refusal.value.more["tries_left"] == left
    with pytest.raises(Problem) as refusal:
        sign_in_codes.check_code(asked.id, NEW, code)
    assert refusal.value.kind == "gone"
    clock.forward(minutes=2)
    again = sign_in_codes.request_code(NEW, "en")
    clock.forward(minutes=11)
    with pytest.raises(Problem) as refusal:
        sign_in_codes.check_code(again.id, NEW, sent_codes()[1])
    assert refusal.value.kind == "gone"


def test_within_a_minute_the_code_of_the_last_letter_is_good_again(clock: Clock) -> None:
    first = sign_in_codes.request_code(NEW, "en")
    clock.forward(seconds=59)
    second = sign_in_codes.request_code(NEW, "en")
    assert len(sent_codes()) == 1
    assert second.id != first.id
    assert sign_in_codes.check_code(second.id, NEW, sent_codes()[0]).ticket
    clock.forward(seconds=2)
    sign_in_codes.request_code(NEW, "en")
    assert len(sent_codes()) == 2


def test_an_address_without_an_account_gets_three_codes_a_day_and_ten_in_all(clock: Clock) -> None:
    counts = []
    for _ in range(5):
        for _ in range(5):
            sign_in_codes.request_code(NEW, "en")
            clock.forward(minutes=61)
        counts.append(len(sent_codes()))
        clock.forward(days=1)
    assert counts == [3, 6, 9, 10, 10]
    # Emails that other people caused there do not count against it, nor the other way round.
    assert players.register("Nuala", NEW, "en", "UTC") is not None
    assert rows("select count(*) from job where substr(key, 1, 8) = 'confirm:' and payload <> '{}'") == [(1,)]


def test_a_player_is_never_kept_out_by_the_limits_of_newcomers(clock: Clock) -> None:
    aoife = person()
    for _ in range(15):
        sign_in_codes.request_code(str(aoife.address), "en")
        clock.forward(minutes=61)
    assert len(sent_codes()) == 15


def test_wrong_codes_of_both_ways_in_count_together() -> None:
    aoife = person()
    for number in range(token_codes.MOST_WRONG_A_DAY // 5):
        ask = token_codes.request_code if number % 2 else lambda address: sign_in_codes.request_code(address, "en")
        asked = ask(str(aoife.address))
        execute("update code set tries = 5, used_at = ? where id = ?", now(), asked.id)
    sign_in_codes.request_code(str(aoife.address), "en")
    assert len(sent_codes()[-1]) == token_codes.LINK_SECRET_LENGTH


def test_known_and_unknown_addresses_run_the_same_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    aoife = person()
    sign_in_codes.request_code("somebody@example.org", "en")
    asked: list[list[str]] = []
    run = type(CodeRow._meta.database.obj).execute_sql

    def watch(self: object, sql: str, *rest: object, **more: object) -> object:
        asked[-1].append(sql)
        return run(self, sql, *rest, **more)

    monkeypatch.setattr(type(CodeRow._meta.database.obj), "execute_sql", watch)
    for address in (str(aoife.address), NEW):
        asked.append([])
        sign_in_codes.request_code(address, "en")
    shapes = [[sql.replace("IS NULL", "= ?").replace("%s", "?") for sql in each] for each in asked]
    assert len(shapes[0]) == len(shapes[1])
    assert len(shapes[0]) > 5


def test_somebody_who_registered_meanwhile_by_letter_enters_their_account() -> None:
    asked = sign_in_codes.request_code(NEW, "en")
    entry = sign_in_codes.check_code(asked.id, NEW, sent_codes()[0])
    with write_transaction():
        made = players.create(name="Nuala", language="en", zone="UTC", at=now(), address=NEW)
    assert sign_in_codes.register(entry.ticket, NEW, "Another", "en", "UTC") == made.id


def test_the_address_of_who_never_came_in_is_forgotten(clock: Clock) -> None:
    sign_in_codes.request_code(NEW, "en")
    execute("update job set done_at = ?", now())
    assert NEW in str(rows("select payload, address from job"))
    assert rows("select address from code") == [(keyed_hash(NEW),)]
    clock.forward(days=9)
    erasure.forget_unconfirmed_addresses(now())
    assert NEW not in str(rows("select payload, address from job"))
