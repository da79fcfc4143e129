"""The REST API: a blueprint for each resource.

To change an operation, edit its view in the file of its resource; its docstring is its description in the OpenAPI
document. `echtra openapi` writes the document again. Shapes that several resources share are in `service/web/schemas/`.

Do not break this: members may be added to answers, never renamed or removed.
"""
