// Orders: lines that wait until they are listed when this seat is asked.

import { data, find, make, makeButton, say } from "./page.js";
import { explainFailure, sendLines } from "./send.js";
import { ask } from "./page.js";

/**
 * @typedef {object} OrderEvents
 * @property {() => any} now the table that the page shows
 * @property {() => Promise<void>} refresh
 * @property {() => import("./board.js").Board} board
 */

/**
 * Takes lines that wait, shows what waits, and withdraws it.
 * @param {OrderEvents} events
 */
export function startOrders(events) {
  const panel = find("#orders");
  const form = /** @type {HTMLFormElement} */ (find("form", panel));
  const field = /** @type {HTMLInputElement} */ (find("input", form));
  const wrong = find(".refused", panel);

  /** @param {string[]} lines */
  async function order(lines) {
    wrong.hidden = true;
    try {
      const { seq, hash, question } = await ask("GET", `/v1/matches/${data.match}/table`);
      const { asked, prev } = question ?? { asked: seq, prev: hash };
      await sendLines({ asked, prev, lines, orders: lines.length > 0 });
      field.value = "";
      await events.refresh();
    } catch (error) {
      wrong.hidden = false;
      wrong.replaceChildren(...explainFailure(error, () => void order(lines)));
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const lines = field.value.split(",").map((line) => line.trim()).filter(Boolean);
    if (lines.length) void order(lines);
  });

  /**
   * The lines of the last question, which are most likely to be listed again.
   * @param {any} options
   */
  function suggestLines({ items }) {
    const key = `echtra:lines:${data.match}`;
    if (items.length) sessionStorage.setItem(key, JSON.stringify(items.map((/** @type {any} */ each) => [each.line, each.sentence])));
    const known = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    find("#order-lines").replaceChildren(...known.map((/** @type {[string, string]} */ [line, sentence]) => (
      make("option", { value: line }, sentence)
    )));
  }

  /** @param {any} now */
  function show({ waiting, question, options }) {
    suggestLines(options);
    const rows = waiting.map((/** @type {string} */ line) => make("li", {}, make("code", {}, line)));
    const place = find(".waiting", panel);
    place.replaceChildren(...(rows.length ? [
      make("p", {}, say("orders_wait")), make("ol", {}, ...rows),
      makeButton(say("withdraw"), "quiet small", () => void order([])),
    ] : []));
    form.hidden = question !== null;
    find(".asked-now", panel).hidden = question === null;
  }

  return { show };
}
