"""The link in the last email of a private match: its record as a file, for whoever has the link."""

from __future__ import annotations

from flask import Blueprint, Response

from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.play import access, match_loader, record_export, record_links
from service.problems import Problem

blueprint = Blueprint("record_links", __name__, url_prefix="/records")


@blueprint.get("/<token>")
def send_record(token: str) -> Response:
    """Send the record of a finished match, once its seed may be public."""
    match = record_links.find_match(token)
    row = MatchRow.get_or_none(MatchRow.id == match) if match else None
    if match is None or row is None or row.status != "over" or not access.is_record_public(row):
        raise Problem("not-found", msg("play.no_such_record"))
    body = record_export.export_record(match_loader.load_match_state(match), "all")
    headers = {"Content-Disposition": f'attachment; filename="{match}.jsonl"', "Cache-Control": "private, no-store"}
    return Response(body, content_type="application/jsonl", headers=headers)
