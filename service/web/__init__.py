'''The web service: `app.py` joins the blueprints of `api/` and `pages/`, and handles what all requests share.

How to add an endpoint. Its bodies are shapes (`service/shapes.py`): beside its views, in `service/web/schemas/` if
several parts of the API share them, or in the room that builds them.

    from service import shapes

    class NewGreeting(shapes.Body):        # a request body: unknown members are refused
        """A new greeting."""

        text: str = shapes.text("The text.", "Dia dhuit", most=100)

    class GreetingShown(shapes.Shape):     # an answer
        """A greeting."""

        text: str = shapes.text("The text.", "Dia dhuit")

Its views are `service/web/api/greetings.py`, which is then added to `API` in `service/web/app.py`:

    from service.db.connection import rows
    from service.i18n.catalogue import msg
    from service.problems import Problem
    from service.shapes import Page
    from service.web import auth, pagination
    from service.web.openapi.blueprint import Answer, Blueprint
    from service.web.schemas.greetings import GreetingShown, NewGreeting

    blueprint = Blueprint("greetings", __name__, url_prefix="/v1/greetings", description="Kind words.")

    # 401 and 403 come before the body is read; scope="optional" is for all. With an Idempotency-Key it runs once.
    @blueprint.post("", scope="play", once=True)
    @blueprint.response(201, "The greeting.")    # not needed for a plain 200
    @blueprint.problems("conflict")              # the kinds of service.problems that only this operation answers
    def create_greeting(body: NewGreeting) -> Answer[GreetingShown]:    # both shapes are documented from these types
        """Say something kind.

        The summary above and this description, in Markdown, go into the OpenAPI document.
        """
        me = auth.require_caller()         # a Caller: player, name, language, zone, token, scopes
        if not body.text.strip():
            raise Problem("conflict", msg("greetings.empty"), field="text")
        return GreetingShown(text=f"{me.name}: {body.text}"), 201, {"Location": "/v1/greetings"}

    @blueprint.get("", scope="read")
    @blueprint.page("Latest first.")    # lists answer {"items": […]}
    def list_greetings(query: pagination.Paging) -> Answer[Page[GreetingShown]]:
        """List what was said.

        Latest first.
        """
        before, id_ = query.cursor_key or (2**53, "")    # the sort key of the last item of the previous page
        sql = "select text, at, id from greeting where at < ? or (at = ? and id > ?) order by at desc, id limit ?"
        fetched = rows(sql, before, before, id_, query.fetch_limit)
        items, headers = pagination.slice_page(fetched, query, lambda row: (row[1], row[2]))
        return Page(items=[GreetingShown(text=row[0]) for row in items]), 200, headers

Its texts for people are in `service/i18n/texts/greetings.toml`, in every language:

    [greetings.empty]
    en = "Say something."
    fr = "Dites quelque chose."

Then `echtra openapi` regenerates the document, and the tests check every operation in it. (A test adds this endpoint.)

- Paths write ids as `<id:match>` (ours), `<kid:key>` (keys) and `<slug:game>` (games).
- ETags, 304, standard headers, rate limits and the log line of a request are automatic.
- Write inside `service.db.connection.write_transaction()`; queue work for the worker with `service.jobs.queue.add`.
- `service.web.request_context` has the language, the player, the settings and the match of a request.
- Handwritten routes (moves) read with `json_body.read_json_bytes` and return `responses.json_response`; a wrong
  signature calls `rate_limits.count_failed_signature`.
- A problem whose members are built from objects (a table) has a function in `errors.MEMBER_BUILDERS`.
'''
