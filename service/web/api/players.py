"""Players: registering, confirming, settings, profiles."""

from __future__ import annotations

from service.accounts import players
from service.db.models.accounts import PlayerRow
from service.i18n.catalogue import msg
from service.matches import erasure
from service.problems import Problem
from service.shapes import to_json
from service.web import auth, rate_limits
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_player
from service.web.schemas.players import (
    AskedShown,
    Confirmation,
    Erased,
    MeShown,
    PlayerShown,
    Registration,
    Remains,
    Settings,
)

blueprint = Blueprint(
    "players", __name__, url_prefix="/v1", description="Accounts: registering, confirming, changing, erasing."
)


@blueprint.post("/players", once=True)
@blueprint.response(202, "An email is on its way, if it may be sent.")
def register(body: Registration) -> AskedShown:
    """Register.

    One email goes to the address, with a link and a code that confirm it; no other email goes there before that. The
    answer is the same whether the address has an account or not. An address gets at most one such email a day, and
    three in total.
    """
    rate_limits.count_registration()
    return AskedShown.of(players.register(body.name, body.address, body.language, body.zone))


@blueprint.post("/confirmations")
@blueprint.response(201, "Your account.")
@blueprint.problems("gone")
def confirm(body: Confirmation) -> Answer[PlayerShown]:
    """Confirm an address.

    Send the code from the email, which is valid for seven days. The same code again gives the same answer. Then ask for
    a token with `POST /v1/tokens`.
    """
    player = players.confirm(body.code)
    return describe_player(player), 201, {"Location": f"/v1/players/{player.id}"}


@blueprint.get("/players/<id:player>")
def get_profile(player: str) -> PlayerShown:
    """Read a player's profile.

    It has everything that everybody may see of a player. An erased player keeps the id, so that old matches can be
    read.
    """
    return describe_player(players.find(player))


@blueprint.get("/me", scope="read")
def get_me() -> MeShown:
    """Read your account.

    It has your settings, and your address, which nobody else can see.
    """
    return MeShown.of(current_player())


@blueprint.patch("/me", scope="play")
def change_settings(body: Settings) -> MeShown:
    """Change your settings.

    Omitted settings stay unchanged.
    """
    return MeShown.of(players.change_settings(auth.require_caller().player, to_json(body)))


@blueprint.delete("/me", scope="account")
@blueprint.response(200, "The account is erased; this remains.")
def erase() -> Erased:
    """Erase your account.

    Your name, address, tokens, key labels, notes, hooks, and emails to and from you are deleted permanently. Seats in
    matches that have not started are freed. Other matches remain, with your seats under an id that identifies nobody;
    running ones continue by their clock. The answer counts what remains. A program is erased by its owner: `DELETE
    /v1/me/programs/{program}`. A browser session is not enough: the page `/settings/erase` asks for a new code.
    """
    if auth.require_caller().session:
        raise Problem("forbidden", msg("accounts.erase_with_code"))
    return Erased(remains=Remains(**erasure.erase_player(auth.require_caller().player)))


def describe_player(player: PlayerRow) -> PlayerShown:
    """Return a player as everybody sees them."""
    erased = player.deleted_at is not None
    return PlayerShown.of(player, name=None if erased else player.name, erased=erased)
