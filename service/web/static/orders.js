// Orders: lines that wait until they are listed when this seat is asked. They are chosen on the board from the lines of
// the last turn, with alternatives ("or") and further lines ("then"), or typed.

import { ask, data, find, keep, make, makeButton, recall, say } from "./page.js";
import { makeChip } from "./move_draft.js";
import { explainFailure, sendLines } from "./send.js";

const KEPT = `echtra:lines:${data.match}`;

/**
 * Signs lines that are made as soon as this seat is asked and they are listed; an empty list withdraws them.
 * @param {string[]} lines
 */
export async function giveOrders(lines) {
  const { seq, hash, question } = await ask("GET", `/v1/matches/${data.match}/table`);
  const { asked, prev } = question ?? { asked: seq, prev: hash };
  await sendLines({ asked, prev, lines, orders: lines.length > 0 });
}

/**
 * Submits orders, shows the waiting ones, and withdraws them.
 * @param {import("./move_draft.js").MoveDraft} draft
 * @param {() => Promise<void>} refresh
 */
export function startOrders(draft, refresh) {
  const panel = find("#orders");
  const form = /** @type {HTMLFormElement} */ (find("form", panel));
  const field = /** @type {HTMLInputElement} */ (find("input", form));
  const wrong = find(".refused", panel);
  const pickers = [...panel.querySelectorAll("button[data-join]")].map((each) => /** @type {HTMLButtonElement} */ (each));
  /** @type {string[][]} the chosen lines, one after the other, each with its alternatives */
  let plan = [];

  /** @param {string[]} lines */
  async function order(lines) {
    wrong.hidden = true;
    try {
      await giveOrders(lines);
      field.value = "";
      plan = [];
      showPlan();
      await refresh();
    } catch (error) {
      wrong.hidden = false;
      wrong.replaceChildren(...explainFailure(error, () => void order(lines)));
    }
  }

  /** True if the next question begins a turn. */
  let beginsTurn = false;

  /** @returns {import("./move_draft.js").Options | null} the lines of the last turn, most likely to be listed again */
  const known = () => JSON.parse(recall(KEPT) ?? "null");

  /** @param {import("./move_draft.js").Options} options */
  function keepOptions({ items, names }) {
    const before = beginsTurn ? null : known();
    const lines = new Map([...before?.items ?? [], ...items].map((each) => [each.line, each]));
    const numbered = [...lines.values()].map((each, at) => ({ ...each, number: at }));
    keep(KEPT, JSON.stringify({ items: numbered, more: 0, names: { ...before?.names, ...names } }));
  }

  /**
   * Returns what a line means, or the line itself where the last turn did not list it.
   * @param {string} text
   */
  const sentenceOf = (text) => known()?.items.find(({ line }) => line === text)?.sentence ?? text;

  /** Shows the chosen lines; "or" and "then" are offered only after the first. */
  function showPlan() {
    find(".plan", panel).replaceChildren(...plan.map((step) => make("li", {}, ...step.flatMap((line, place) => [
      place ? ` ${say("order_or")} ` : "",
      makeChip(sentenceOf(line), "chip line", () => {
        step.splice(place, 1);
        plan = plan.filter(({ length }) => length);
        showPlan();
      }),
    ]))));
    for (const each of pickers) each.hidden = !known() || (each.dataset.join === "first") !== !plan.length;
  }

  for (const picker of pickers) {
    picker.addEventListener("click", () => {
      const options = known();
      if (draft.taker || !options) void draft.ask(null);
      else {
        void draft.plan(options, (line) => {
          if (picker.dataset.join === "or") plan[plan.length - 1]?.push(line);
          else plan.push([line]);
          draft.clear();
          void draft.ask(null);
          showPlan();
          find("form > button", panel).focus();
        }, say("order_touch"), say("order_take"));
        draft.panel.scrollIntoView({ block: "nearest" });
      }
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = field.value.split(",").map((line) => line.trim()).filter(Boolean);
    const lines = [...plan.map((step) => step.join(" | ")), ...typed];
    if (lines.length) void order(lines);
  });

  /** @param {any} now */
  function show({ waiting, question, options }) {
    if (options.items.length) keepOptions(options);
    beginsTurn = !question;
    find("#order-lines").replaceChildren(...(known()?.items ?? []).map(({ line, sentence }) => (
      make("option", { value: line }, sentence)
    )));
    const rows = waiting.map((/** @type {string} */ line) => (
      make("li", {}, line.split("|").map((each) => sentenceOf(each.trim())).join(` ${say("order_or")} `))
    ));
    find(".waiting", panel).replaceChildren(...(rows.length ? [
      make("p", {}, say("orders_wait")), make("ol", {}, ...rows),
      makeButton(say("withdraw"), "quiet small", () => void order([])),
    ] : []));
    form.hidden = question !== null;
    find(".asked-now", panel).hidden = question === null;
    showPlan();
  }

  return { show };
}
