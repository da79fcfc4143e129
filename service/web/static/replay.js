// Replaying a match entry by entry: a slider, buttons and keys; neighbouring entries are prefetched.

import { announce, ask, data, find, make, narrowPage, say, tablePath } from "./page.js";
import { parseSvg } from "./svg.js";

/**
 * @typedef {object} ReplayEvents
 * @property {() => void} leave back to the current table
 * @property {() => number} head the last entry
 * @property {() => void} begin the board no longer accepts touches
 */

export class Replay {
  /**
   * @param {import("./board.js").Board} board
   * @param {ReplayEvents} events
   */
  constructor(board, events) {
    this.board = board;
    this.events = events;
    this.bar = find("#replay");
    this.slider = /** @type {HTMLInputElement} */ (find("input[type=range]", this.bar));
    this.at = data.now.seq;
    /** The reader's last move. */
    this.start = data.now.since_start;
    this.isPast = data.now.seq !== data.now.head;
    /** @type {Map<string, Promise<any>>} */
    this.known = new Map();
    if (this.isPast) document.documentElement.classList.add("leafing");
    this.slider.addEventListener("input", () => void this.go(Number(this.slider.value)));
    for (const button of this.bar.querySelectorAll("button[data-step]")) {
      button.addEventListener("click", () => this.step(/** @type {HTMLElement} */ (button).dataset.step ?? ""));
    }
    for (const button of document.querySelectorAll("#since button[data-turn]")) {
      button.addEventListener("click", () => this.stepTurn(/** @type {HTMLElement} */ (button).dataset.turn === "back"));
    }
    this.bar.addEventListener("keydown", (event) => this.#press(event));
    find("#back-to-now").addEventListener("click", () => this.leave());
    document.addEventListener("click", (event) => this.#follow(event));
    addEventListener("popstate", () => {
      const at = new URLSearchParams(location.search).get("at");
      if (at === null) this.leave(false);
      else void this.go(Number(at), false);
    });
  }

  /**
   * Goes to the first, previous, next or last entry.
   * @param {string} where
   */
  step(where) {
    const head = this.events.head();
    const to = { first: 0, back: this.at - 1, forward: this.at + 1, last: head }[where];
    if (to !== undefined && to >= 0 && to <= head) void this.go(to);
  }

  /**
   * Goes one turn back or forward, between the reader's last move and now.
   * @param {boolean} back
   */
  stepTurn(back) {
    const ends = [...document.querySelectorAll("#since a")].map((link) => entryOf(/** @type {HTMLAnchorElement} */ (link)));
    const stops = [this.start, ...ends.slice(0, -1), this.events.head()];
    const to = back ? stops.findLast((stop) => stop < this.at) : stops.find((stop) => stop > this.at);
    if (to !== undefined) void this.go(to);
  }

  /**
   * Shows the table after an entry.
   * @param {number} at
   * @param {boolean} [remember] true to show it in the address
   */
  async go(at, remember = true) {
    this.at = at;
    this.slider.value = String(at);
    if (at === this.events.head()) {
      this.leave(remember);
      return;
    }
    this.isPast = true;
    this.events.begin();
    document.documentElement.classList.add("leafing");
    if (remember) history.replaceState(null, "", addressAt(at));
    const found = await this.#fetch(at);
    if (this.at !== at) return;
    this.board.draw(parseSvg(found.svg), true);
    this.#tell(found);
    void this.#fetch(at + 1);
    void this.#fetch(at - 1);
  }

  /** @param {boolean} [remember] */
  leave(remember = true) {
    this.isPast = false;
    this.at = this.events.head();
    this.slider.value = String(this.at);
    document.documentElement.classList.remove("leafing");
    if (remember) history.replaceState(null, "", addressAt(null));
    this.events.leave();
  }

  /**
   * Follows the log as it grows.
   * @param {any} found
   */
  show(found) {
    this.slider.max = String(found.head);
    this.start = found.since_start;
    if (!this.isPast) {
      this.at = found.head;
      this.slider.value = String(found.head);
    }
    this.#tell(found);
  }

  /** @param {any} found */
  #tell({ seq, head, since }) {
    find("#replay-place").textContent = say("entry_of", { at: seq, head });
    this.slider.setAttribute("aria-valuetext", say("entry_of", { at: seq, head }));
    const told = this.isPast ? since.map((/** @type {[number, string]} */ [, sentence]) => sentence).join(" ") : "";
    for (const link of document.querySelectorAll(".story a")) {
      const isHere = this.isPast && entryOf(/** @type {HTMLAnchorElement} */ (link)) === seq;
      if (isHere) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    find("#replay-told").replaceChildren(...(told ? [make("span", {}, told)] : []));
    if (this.isPast) announce(told || say("entry_of", { at: seq, head }));
  }

  /**
   * @param {number} at
   * @returns {Promise<any>}
   */
  #fetch(at) {
    if (at < 0 || at >= this.events.head()) return Promise.resolve(null);
    const key = `${at} ${narrowPage.matches}`;
    const found = this.known.get(key) ?? ask("GET", tablePath({ at: String(at) })).catch((error) => {
      this.known.delete(key);
      throw error;
    });
    this.known.set(key, found);
    return found;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const where = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
    if (!where) return;
    event.preventDefault();
    this.step(where);
  }

  /**
   * Makes links of the story show their entry on this page.
   * @param {MouseEvent} event
   */
  #follow(event) {
    const link = event.target instanceof Element ? event.target.closest(".story a") : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void this.go(entryOf(link));
    find("#board").scrollIntoView({ block: "start" });
  }
}

/**
 * Returns the entry to which a link of the story leads.
 * @param {HTMLAnchorElement} link
 */
function entryOf(link) {
  return Number(new URL(link.href).searchParams.get("at"));
}

/** @param {number | null} at */
function addressAt(at) {
  const query = new URLSearchParams(location.search);
  if (at === null) query.delete("at");
  else query.set("at", String(at));
  return `${location.pathname}${query.size ? `?${query}` : ""}`;
}
