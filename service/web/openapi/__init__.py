"""The OpenAPI document and its parts.

To change what every operation has, edit `document.py`; to change how operations declare themselves, edit
`blueprint.py`. The descriptions are the docstrings of views and shapes.

Do not break this: every answer in the tests is checked against `openapi/openapi.json`, which `echtra openapi` writes.
"""
