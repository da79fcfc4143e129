"""Reading what people write in replies.

`zones` finds what the writer typed, `pieces` judges each piece of it by the words of `words.toml` (loaded by
`vocabulary`), `move_reader` and `order_reader` tell which pieces name moves, and `requests` puts it all together.
To teach it a courtesy, add it to `words.toml` and a reply with it to `tests/letters/replies.toml`. Do not break this: a
piece that nobody recognises is asked about, never passed over.
"""
