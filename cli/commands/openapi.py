"""`echtra openapi`: the OpenAPI document, generated from the code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, Refusal, bilingual_option, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Write the OpenAPI document, or print it with --out -.",
    "Écrire le document OpenAPI, ou l'afficher avec --out -.",
)
OUT: Bilingual = ("Where to write it.", "Où l'écrire.")
CHECK: Bilingual = ("Only say whether the file is up to date.", "Dire seulement si le fichier est à jour.")
STALE: Bilingual = (
    "{path} is not what the code says; run `echtra openapi` and commit it.",
    "{path} ne dit pas ce que dit le code ; lancez `echtra openapi` et archivez-le.",
)
UNWRITABLE: Bilingual = ("{path} cannot be written: {why}.", "Impossible d'écrire {path} : {why}.")


@spoken_command("openapi", ABOUT)
@bilingual_option("--out", default="openapi/openapi.json", show_default=True, said=OUT)
@bilingual_option("--check", is_flag=True, said=CHECK)
def command(out: str, check: bool, locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # as every command
    """Write the OpenAPI document."""
    from service.web.openapi.document import render_document

    made, path = render_document(), Path(out)
    if out == "-":
        click.echo(made, nl=False)
    elif check:
        if not path.is_file() or path.read_text(encoding="utf-8") != made:
            raise Refusal(text_in(STALE, locale).format(path=out))
    else:
        _write_document(path, made, locale)


def _write_document(path: Path, made: str, locale: Locale) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made, encoding="utf-8")
    except OSError as error:
        raise Refusal(text_in(UNWRITABLE, locale).format(path=path, why=error.strerror)) from None
