"""`echtra openapi`: the OpenAPI document, generated from the code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, refusal

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("openapi", "usage.openapi.about")
@bilingual_option("--out", default="openapi/openapi.json", show_default=True, text="usage.openapi.out")
@bilingual_option("--check", is_flag=True, text="usage.openapi.check")
def command(out: str, check: bool, locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # as every command
    """Write the OpenAPI document."""
    from service.web.app import render_document

    made, path = render_document(), Path(out)
    if out == "-":
        click.echo(made, nl=False)
    elif check:
        if not path.is_file() or path.read_text(encoding="utf-8") != made:
            raise refusal(locale, "commands.openapi.stale", path=out)
    else:
        _write_document(path, made, locale)


def _write_document(path: Path, made: str, locale: Locale) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8")
    except OSError as error:
        raise refusal(locale, "commands.openapi.unwritable", path=path, why=error.strerror) from None
