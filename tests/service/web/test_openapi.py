"""The OpenAPI document: generated from the code, committed, complete."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from engine.chance import seeded_pick
from engine.games import GAMES
from engine.playout import play_out
from service.config import Config
from service.play.views import action_parts, to_json
from service.web.app import build_app, render_document
from service.web.openapi import document as spec

COMMITTED = Path(__file__).parents[3] / "openapi" / "openapi.json"
OPTIONAL_MEMBERS = {"EntryShown", "Fault", "OptionShown", "OptionsShown", "ResolvedShown"}
"""Answers of which some members are missing where they make no sense."""
WITHOUT_CURSOR = {
    "GET /v1/events": "a feed that goes on with `after`",
    "GET /v1/matches/{match}/options": "a choice that `mark` narrows",
    "POST /v1/me/keys/{key}/approvals": "what became of each line that was sent",
}
"""Operations whose answer has `items` but is not a list in pages, and why."""
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(render_document())
    return made


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield f"{method.upper()} {path}", item[method]


def resolved(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in part:
        found: Any = document
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        part = found
    return part


def bodies(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body of every operation: what it is called, and its media type object."""
    for name, operation in operations(document):
        for media, body in operation.get("requestBody", {}).get("content", {}).items():
            yield f"{name} takes {media}", body
        for status, answer in operation["responses"].items():
            for media, body in resolved(document, answer).get("content", {}).items():
                yield f"{name} answers {status} {media}", body


def test_the_committed_document_is_what_the_code_says() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == render_document(), "run `echtra openapi` and commit the result"


def test_the_document_is_the_same_however_often_it_is_made() -> None:
    app = build_app(Config())
    assert spec.build_document(app) == spec.build_document(app) == json.loads(render_document())


def test_the_validator_has_nothing_to_say(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    tags = {tag["name"]: tag["description"] for tag in document["tags"]}
    assert all(tags.values())
    seen = set()
    for name, operation in operations(document):
        assert operation["summary"], name
        assert not operation["summary"].endswith("."), name
        assert len(operation.get("description", "")) >= 12, name
        assert operation["tags"], name
        assert set(operation["tags"]) <= set(tags), name
        assert operation["operationId"] not in seen, name
        seen.add(operation["operationId"])
        assert "security" in operation, name


def test_every_operation_documents_what_can_go_wrong(document: dict[str, Any]) -> None:
    for name, operation in operations(document):
        statuses = set(operation["responses"])
        assert {"400", "401", "429", "503"} <= statuses, name
        assert any(status < "300" for status in statuses), name
        if "requestBody" in operation:
            assert {"413", "415", "422"} <= statuses, name
        if "{" in name:
            assert "404" in statuses, name
        for status, answer in operation["responses"].items():
            told = resolved(document, answer)
            assert told["description"], name
            if status >= "400":
                assert list(told["content"]) == ["application/problem+json"], name


def test_every_body_has_an_example_that_fits_its_schema(document: dict[str, Any]) -> None:
    count = 0
    for name, body in bodies(document):
        examples = (
            [body["example"]] if "example" in body else [each["value"] for each in body.get("examples", {}).values()]
        )
        if not name.endswith("json"):
            assert body["schema"], name
            continue
        assert examples, name
        for example in examples:
            schema = {**body.get("schema", {}), "components": document["components"]}
            jsonschema.Draft202012Validator(schema).validate(example)
            count += 1
    assert count > 30


def test_every_field_and_parameter_is_described_and_shown(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        for field, told in schema.get("properties", {}).items():
            assert told.get("description"), f"{name}.{field}"
            shown = "example" in told or "examples" in told or "$ref" in told or "items" in told or "allOf" in told
            assert shown or "anyOf" in told or "enum" in told, f"{name}.{field} has no example"
    for name, operation in operations(document):
        path = document["paths"][name.split(" ")[1]]
        for parameter in [*operation.get("parameters", []), *path.get("parameters", [])]:
            assert parameter.get("description"), f"{name} {parameter['name']}"
            shown = bool({"example", "examples"} & (set(parameter) | set(parameter["schema"])))
            assert shown or "enum" in parameter["schema"], f"{name} {parameter['name']} has no example"


def test_every_list_has_a_cursor_and_is_called_a_page(document: dict[str, Any]) -> None:
    without, misnamed = set(), set()
    for name, operation in operations(document):
        schemas = [
            body["schema"]
            for status, answer in operation["responses"].items()
            if status.startswith("2")
            for body in resolved(document, answer).get("content", {}).values()
        ]
        lists = [each for each in schemas if "items" in resolved(document, each).get("properties", {})]
        if not lists or name in WITHOUT_CURSOR:
            continue
        parameters = {each["name"] for each in operation["parameters"]}
        without |= {name} if not {"cursor", "limit"} <= parameters else set()
        misnamed |= {each["$ref"] for each in lists if not each["$ref"].endswith("Page")}
    assert (without, misnamed) == (set(), set())


def test_events_name_all_they_take(document: dict[str, Any]) -> None:
    named = {each["name"] for each in document["paths"]["/v1/events"]["get"]["parameters"]}
    assert {"after", "wait", "limit", "Last-Event-ID"} <= named


def test_scopes_are_said_in_security_and_in_words(document: dict[str, Any]) -> None:
    """Check that `security` and the description name the scope of each operation with a token (OpenAPI 3.1)."""
    assert "url" not in document["info"]["contact"], "a relative address is no URI"
    for name, operation in operations(document):
        if operation["security"]:
            (scope,) = operation["security"][-1]["token"]
            optional = {} in operation["security"]
            said = "A token is welcome" if optional else f"with the scope `{scope}`"
            assert said in operation["description"], name
            assert scope in ("read", "play", "organise", "account"), name


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_game_shows_fits_its_own_schema(document: dict[str, Any], slug: str) -> None:
    """Views of every reader, and the parts of every line made, through a whole match of most seats."""
    game, components = GAMES[slug], {"schemas": document["components"]["schemas"]}
    index = sorted(GAMES).index(slug)
    views, parts = (
        jsonschema_rs.Draft202012Validator(
            {**components["schemas"][schema]["properties"][member]["anyOf"][index], "components": components}
        )
        for schema, member in (("TableShown", "view"), ("OptionShown", "parts"))
    )
    seats, pick, count = game.rules.seats[-1], seeded_pick(5), 0
    bots = dict.fromkeys(range(seats), game.bots.by_name[game.bots.stand_in])
    for _, action, state in play_out(game, game.rules.start(seats), pick, bots, lambda _: pick):
        parts.validate(action_parts(action))
        if count % 5 == 0 or state.over:
            for seat in (None, *range(seats)):
                views.validate(to_json(game.rules.view(state, seat)))
        count += 1
    assert count
    with pytest.raises(jsonschema_rs.ValidationError):
        views.validate({**to_json(game.rules.view(state, None)), "asked": "everybody"})


def test_every_refusal_of_a_move_says_what_it_carries(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    named = {
        "QuestionChangedProblem": {"seat", "table", "options"},
        "NotListedProblem": {"seat", "table", "options", "text"},
        "WrongSignatureProblem": {"line", "signed_text"},
        "WrongPrevProblem": {"hash"},
        "InvalidProblem": {"errors"},
    }
    for name, members in named.items():
        assert set(schemas[name]["required"]) == {"type", "title", "status", "detail"} | members
    assert "meant" in schemas["NotCanonicalProblem"]["properties"]
    moves = document["paths"]["/v1/matches/{match}/moves"]["post"]["responses"]
    for status, name in (("409", "QuestionChangedProblem"), ("422", "NotListedProblem"), ("422", "InvalidProblem")):
        schema = resolved(document, moves[status])["content"]["application/problem+json"]["schema"]
        assert {"$ref": f"#/components/schemas/{name}"} in schema["anyOf"]


def test_every_member_of_an_answer_is_always_there_or_said_to_be_optional(document: dict[str, Any]) -> None:
    """Whole numbers have their size, and only what is missing from some answers is not `required`."""
    schemas = document["components"]["schemas"]
    optional = {
        name: set(schema["properties"]) - set(schema.get("required", ()))
        for name, schema in schemas.items()
        if name.endswith(("Shown", "Page", "List", "Made", "Range", "Fault")) and "properties" in schema
    }
    assert {name for name, members in optional.items() if members} <= OPTIONAL_MEMBERS
    assert schemas["TableShown"]["properties"]["seq"]["format"] == "int64"


def test_objects_are_bounded_by_members(document: dict[str, Any]) -> None:
    schema = document["components"]["schemas"]["NewMatchBody"]["properties"]
    assert {name: told.get("maxProperties") for name, told in schema.items() if told["type"] == "object"} == {
        "options": 50,
        "bots": 99,
        "players": 99,
    }
    assert not any("maxLength" in told for told in schema.values() if told["type"] == "object")


def test_every_whole_number_has_bounds(document: dict[str, Any]) -> None:
    def walk(part: Any, place: str) -> None:  # noqa: ANN401
        if isinstance(part, dict):
            kinds = part.get("type")
            if kinds == "integer" or (isinstance(kinds, list) and "integer" in kinds):
                assert "maximum" in part, place
                assert "minimum" in part, place
            for name, inner in part.items():
                walk(inner, f"{place}/{name}")
        elif isinstance(part, list):
            for each in part:
                walk(each, place)

    walk(document["paths"], "paths")
    walk(document["components"]["schemas"], "schemas")


def test_no_text_says_what_a_program_cannot_know(document: dict[str, Any]) -> None:
    whole = json.dumps(document)
    assert re.search(r"https?://(?!example\.)", whole.replace("http://json-schema", "")) is None
    assert "TODO" not in whole


def test_the_api_has_the_version_of_the_package(document: dict[str, Any]) -> None:
    project = tomllib.loads((COMMITTED.parents[1] / "pyproject.toml").read_text())["project"]
    assert document["info"]["version"] == project["version"] == metadata.version("echtra")
