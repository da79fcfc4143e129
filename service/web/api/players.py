"""Players: registering, confirming, settings, profiles."""

from __future__ import annotations

from service.accounts import players
from service.db.models.accounts import PlayerRow
from service.i18n.catalogue import msg
from service.matches import erasure
from service.problems import Problem
from service.shapes import to_json
from service.web import auth, idempotency, rate_limits
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

blueprint = Blueprint("players", __name__, url_prefix="/v1", description="Accounts: register, confirm, change, leave.")
REGISTRATION_EXAMPLE = {"name": "Aoife", "address": "aoife@example.org", "language": "en", "zone": "Europe/Dublin"}


@blueprint.route("/players", methods=["POST"])
@idempotency.once
@blueprint.arguments(Registration)
@blueprint.response(202, AskedShown, description="A letter is on its way, if it may be sent.")
def register(body: Registration) -> AskedShown:
    """Register.

    One letter goes to the address, with a link and a code that confirm it; nothing else is ever sent there before
    that. The answer is the same whether the address has an account or not. One such letter a day goes to an
    address, and three in all.
    """
    rate_limits.count_registration()
    return AskedShown.of(players.register(body.name, body.address, body.language, body.zone))


@blueprint.route("/confirmations", methods=["POST"])
@blueprint.arguments(Confirmation)
@blueprint.response(201, PlayerShown, description="You are a player.")
@blueprint.problems("gone")
def confirm(body: Confirmation) -> Answer[PlayerShown]:
    """Confirm an address.

    With the code from the letter, good for seven days. The same code again gives the same answer. Then ask for a
    token with `POST /v1/tokens`.
    """
    player = players.confirm(body.code)
    return describe_player(player), 201, {"Location": f"/v1/players/{player.id}"}


@blueprint.route("/players/<id:player>")
@blueprint.response(200, PlayerShown)
def get_profile(player: str) -> PlayerShown:
    """Look at a player.

    What everybody may know of a player. An erased one keeps the id, so that old matches can be read.
    """
    return describe_player(players.find(player))


@blueprint.route("/me")
@auth.requires_scope("read")
@blueprint.response(200, MeShown)
def get_me() -> MeShown:
    """Look at yourself.

    Your settings and your address, which nobody else sees.
    """
    return MeShown.of(current_player())


@blueprint.route("/me", methods=["PATCH"])
@auth.requires_scope("play")
@blueprint.arguments(Settings)
@blueprint.response(200, MeShown)
def change_settings(body: Settings) -> MeShown:
    """Change your settings.

    What is left out stays as it is.
    """
    return MeShown.of(players.change_settings(auth.require_caller().player, to_json(body)))


@blueprint.route("/me", methods=["DELETE"])
@auth.requires_scope("account")
@blueprint.response(200, Erased, description="The account is erased; what remains.")
def erase() -> Erased:
    """Erase your account.

    Name, address, tokens, labels of keys, notes, hooks, letters to you and mail from you are deleted for good. Seats
    that have not started are given back. Matches stay, with your seats under an id that names nobody; running ones go
    on by their clock. The answer counts what remains. A program is erased by its owner:
    `DELETE /v1/me/programs/{program}`. The session of a browser does not do: the page `/settings/erase` asks for a new
    code.
    """
    if auth.require_caller().session:
        raise Problem("forbidden", msg("accounts.erase_with_code"))
    return Erased(remains=Remains(**erasure.erase_player(auth.require_caller().player)))


def describe_player(player: PlayerRow) -> PlayerShown:
    """Return a player as everybody sees them."""
    erased = player.deleted_at is not None
    return PlayerShown.of(player, name=None if erased else player.name, erased=erased)
