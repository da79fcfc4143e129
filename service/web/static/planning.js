// Planning: own lines and likely lines of others, tried on an imagined table, kept as branches, or turned into orders.

import { ask, askAll, data, find, make, makeButton, pictureForm, say } from "./page.js";
import { makeChip } from "./move_draft.js";
import { giveOrders } from "./orders.js";
import { explainFailure } from "./send.js";
import { parseSvg } from "./svg.js";

/** @typedef {{ seat: number, line: string, sentence?: string }} PlannedStep */

const path = `/v1/matches/${data.match}`;
/** @type {Record<string, () => string>} */
const HINTS = {
  you: () => say("plan_you"), others: () => say("plan_others"), unsure: () => say("plan_unsure"), over: () => say("plan_over"),
};

/**
 * Starts the fold for planning.
 * @param {import("./move_draft.js").MoveDraft} draft
 * @param {() => Promise<void>} refresh
 */
export function startPlanning(draft, refresh) {
  const panel = find("#planning");
  const begin = find("[data-plan=begin]", panel), end = find("[data-plan=end]", panel), play = find("[data-plan=orders]", panel);
  const form = /** @type {HTMLFormElement | null} */ (panel.querySelector("form"));
  const kept = panel.querySelector(".kept");
  /** @type {PlannedStep[]} */
  let steps = [];
  /** The position that is planned from; -1 while nothing is planned. */
  let from = -1;
  let head = 0, asks = 0;

  /** @param {...(string | HTMLElement)} why */
  function refuse(...why) {
    const place = find(".refused", panel);
    place.replaceChildren(...why);
    place.hidden = !why.length;
  }

  /**
   * Does something, or says why it could not be done.
   * @param {() => Promise<unknown>} work
   */
  async function act(work) {
    refuse();
    try {
      await work();
    } catch (error) {
      refuse(...explainFailure(error, () => void act(work)));
    }
  }

  /**
   * Shows the imagined table after these lines, as far as they are possible.
   * @param {PlannedStep[]} wanted
   * @param {number} [since] the entry at which they were planned, if the match has moved on
   */
  async function tryLines(wanted, since) {
    const place = ++asks;
    const lines = wanted.map(({ seat, line }) => ({ seat, line }));
    const shown = await ask("POST", `${path}/plan`, { steps: lines, since, narrow: pictureForm() === "narrow" });
    if (place !== asks) return;
    from = head;
    steps = shown.steps;
    if (since !== undefined) refuse(say("plan_moved"));
    else if (steps.length < wanted.length) refuse(say("plan_stops"));
    draft.clear();
    draft.board.draw(parseSvg(shown.svg), true);
    await draft.plan(shown.options, (line) => add({ seat: data.seat, line }), HINTS[shown.next]?.() ?? "", say("plan_take"));
    show(shown.likely);
  }

  /** @param {PlannedStep} step */
  const add = (step) => void act(() => tryLines([...steps, step]));

  /**
   * Shows the lines of the plan and what others would likely do.
   * @param {(PlannedStep & { deals: number })[]} likely
   */
  function show(likely = []) {
    const active = from >= 0;
    panel.classList.toggle("active", active);
    draft.board.frame.classList.toggle("imagined", active);
    begin.hidden = active;
    end.hidden = !active;
    play.hidden = !steps.some(({ seat }) => seat === data.seat);
    if (form) form.hidden = !steps.length;
    find(".plan", panel).replaceChildren(...steps.map(({ seat, sentence = "" }, place) => make("li", {}, makeChip(
      seat === data.seat ? sentence : say("plan_of", { name: nameOf(seat), sentence }), "chip line",
      () => act(() => tryLines(steps.slice(0, place))),
    ))));
    const rows = likely.map((each) => make("li", {}, makeButton(
      say("plan_likely", { name: nameOf(each.seat), sentence: each.sentence ?? "", count: each.deals }), "option quiet", () => add(each),
    )));
    find("#turn .likely").replaceChildren(...rows);
  }

  /** Leaves the imagined table. */
  async function stop() {
    asks++;
    from = -1;
    steps = [];
    show();
    draft.clear();
    await draft.ask(null);
    await refresh();
  }

  async function loadKept() {
    if (!kept) return;
    const branches = await askAll(`${path}/branches`);
    kept.replaceChildren(...branches.map(({ id, title, steps: lines }) => make("li", {},
      makeButton(title, "quiet small", () => act(() => tryLines(lines))), " ",
      makeButton(say("plan_delete"), "quiet small", () => act(async () => {
        await ask("DELETE", `${path}/branches/${id}`);
        await loadKept();
      })),
    )));
  }

  begin.addEventListener("click", () => act(() => tryLines(draft.lines.map(({ line }) => ({ seat: data.seat, line })))));
  end.addEventListener("click", () => act(stop));
  play.addEventListener("click", () => act(async () => {
    await giveOrders(steps.filter(({ seat }) => seat === data.seat).map(({ line }) => line));
    await stop();
  }));
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (find("input", form));
    void act(async () => {
      await ask("POST", `${path}/branches`, { title: field.value, steps: steps.map(({ seat, line }) => ({ seat, line })) });
      field.value = "";
      await loadKept();
    });
  });
  find("details", panel).addEventListener("toggle", () => void act(loadKept));

  return {
    /**
     * Follows the match: of a plan from an earlier position, what still holds is kept.
     * @param {{ head: number }} now
     */
    follow({ head: latest }) {
      head = latest;
      if (from < 0) return;
      void act(() => latest === from ? tryLines(steps) : tryLines(steps, from));
    },
  };
}

/** @param {number} seat */
function nameOf(seat) {
  return document.querySelectorAll("#seats-list bdi")[seat]?.textContent ?? "";
}
