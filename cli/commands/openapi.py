"""`echtra openapi`: the OpenAPI document, generated from the code."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command import bilingual_command, bilingual_option, refusal


@bilingual_command("openapi", "usage.openapi.about")
@bilingual_option("--out", default="openapi/openapi.json", show_default=True, text="usage.openapi.out")
@bilingual_option("--check", is_flag=True, text="usage.openapi.check")
def command(out: str, check: bool) -> None:
    """Write the OpenAPI document."""
    from service.web.app import render_document

    document, path = render_document(), Path(out)
    if out == "-":
        click.echo(document, nl=False)
    elif check:
        if not path.is_file() or path.read_text(encoding="utf-8") != document:
            raise refusal("commands.openapi.stale", path=out)
    else:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(document, encoding="utf-8")
        except OSError as error:
            raise refusal("commands.openapi.unwritable", path=path, why=error.strerror) from None
