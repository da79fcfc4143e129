"""Texts and dates in the languages of the service.

To change a sentence, edit it in `texts/*.toml`, English and French together. To change how it is looked up, edit
`catalogue.py`; for times and days, edit `dates.py`.

Do not break this: a text keeps its placeholders in both languages, and words that people type stay understood.
"""
