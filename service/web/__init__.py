'''The REST API: a shell of small parts around blueprints that are listed in `service/web/app_blueprints.py`.

Adding an endpoint, whole (`service/web/api/greetings.py`, then its name into `BLUEPRINTS`):

    from service.web import auth, idempotency, pagination as pages
    from service.web.openapi.blueprint import Blueprint
    from service.web.schemas.fields import Strict, Text
    from service.problems import Problem

    blueprint = Blueprint("greetings", __name__, url_prefix="/v1/greetings", description="Kind words.")

    class Greeting(Strict):
        text = Text(most=100, required=True, about="What is said.", example="Dia dhuit")

    @blueprint.route("", methods=["POST"])
    @auth.needs("play")                            # 401 and 403 before the body is read; public: @auth.welcome, maybe()
    @idempotency.once                              # a creation: the view runs in one transaction with the stored answer
    @blueprint.arguments(Greeting(), example={"text": "Dia dhuit"})     # an instance, not a class
    @blueprint.response(201, Greeting(), example={"text": "Dia dhuit"})
    @blueprint.problems("conflict")                # every kind of service.problems that this operation may answer
    def greet(body: dict[str, Any]) -> Any:
        """Say something kind.

        The description, in Markdown, as readers of the document see it.
        """
        me = auth.current()                        # Who: player, name, language, zone, token, scopes
        if body["text"] == "":
            raise Problem("conflict", "Say something.", field="text")
        return {"text": body["text"]}, 201, {"Location": "/v1/greetings/1"}

Lists answer `{"items": [...]}`:

    class Greetings(Shown):
        items = Many(Inside(Greeting(), about="One of them."), about="A page of them, newest first.")

    @blueprint.route("")
    @blueprint.arguments(pages.Paging(), location="query")
    @blueprint.response(200, Greetings(), example={"items": [{"text": "Dia dhuit"}]})
    def greetings(query: dict[str, Any]) -> Any:
        wanted = pages.page("greetings", query)              # wanted.after: None or the place of the last one shown
        found = rows("select … order by at desc, id limit ?", wanted.fetch)
        items, headers = pages.answer(found, wanted, lambda row: (row[1], row[0]))
        return {"items": [...]}, 200, headers

Paths name ids as `<id:match>` (ours) or `<kid:key>` (keys). By-hand routes (moves) read with `body.read(most=16384)`
and return `answer.json_answer(value, status, headers)`. GET answers get their ETag and 304 by themselves; refused
signatures call `limits.failed_signature()`. Write inside `service.db.connection.writing()`;
jobs by `service.jobs.outbox.add`.
Problems whose members must be drawn from objects (a table) register `problem.FILLS[kind] = function`.
'''
