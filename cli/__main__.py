"""`python -m cli` is the console script `echtra`."""

from cli import main

main(prog_name="echtra")
