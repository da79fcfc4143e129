// Choosing what to send: touches on the board, buttons, a list and a text field all change the same state, which is
// kept as a draft until it is sent.

import { Refusal, announce, ask, data, find, keep, make, makeButton, pictureForm, recall, say } from "./page.js";
import { narrow } from "./narrowing.js";
import { hasPreference } from "./preferences.js";
import { parseSvg } from "./svg.js";

/**
 * A line that can be sent.
 * @typedef {{ number: number, line: string, sentence: string, marks: string[] }} Option
 */

/**
 * The legal lines, as the API lists them.
 * @typedef {{ items: Option[], more: number, names: Record<string, string>, open?: string[], offered?: number[] }} Options
 */

/**
 * What remains after the touches.
 * @typedef {{ left: Option[], more: number, open: string[], offered: Option[] }} Left
 */

/** @typedef {{ line: string, sentence: string, forced?: boolean }} Line A line of the draft; a forced one is the only way after those before it. */

/** @typedef {{ asked: number, prev: string, at: string, due: string | null }} Question */

/**
 * The host of the choice: a match or a lesson.
 * @typedef {object} ChoiceEvents
 * @property {(lines: string[]) => void} send
 * @property {((lines: string[], signal?: AbortSignal) => Promise<any>) | null} preview
 * @property {((marks: string[]) => Promise<Options>) | null} narrow
 * @property {((text: string) => Promise<string[]>) | null} read
 */

const LONG_LIST = 12;
/** @type {Options} */
const NOTHING = { items: [], more: 0, names: {} };
/** @type {Question} stands for the next question while a line is chosen in advance */
const PLAN = { asked: -1, prev: "", at: "", due: null };
/** @type {Left} */
const NONE_LEFT = { left: [], more: 0, open: [], offered: [] };

export class MoveDraft {
  /**
   * @param {HTMLElement} panel
   * @param {import("./board.js").Board} board
   * @param {ChoiceEvents} events
   */
  constructor(panel, board, events) {
    this.panel = panel;
    this.board = board;
    this.events = events;
    /** @type {Question | null} */
    this.question = null;
    /** @type {Options} the legal lines at the current table */
    this.listed = NOTHING;
    /** @type {Options} the legal lines after those that were chosen but not sent */
    this.options = NOTHING;
    /** @type {Line[]} */
    this.lines = [];
    /** @type {Line[]} what must follow the offered line, and is sent with it */
    this.forced = [];
    /** @type {string[]} */
    this.clicks = [];
    /** @type {number | null} */
    this.picked = null;
    /** @type {Left} */
    this.left = NONE_LEFT;
    this.asking = 0;
    /** Counts questions and turns built on them, to recognise a preview that arrives too late. */
    this.turn = 0;
    this.look = new AbortController();
    this.goesOn = false;
    this.busy = false;
    /** True if lines were sent without an answer: once the match advances, they were made or are obsolete. */
    this.unsure = false;
    /** @type {SVGSVGElement | null} the picture of the current table, while a preview is shown */
    this.real = null;
    /** @type {((line: string) => void) | null} receives a line that is chosen in advance */
    this.taker = null;
    /** What the panel says while a line is chosen in advance: the hint, and the button. */
    this.planWords = { hint: "", take: "" };
    find(".send", panel).addEventListener("click", () => this.#send());
    find(".then", panel).addEventListener("click", () => this.#goOn());
    panel.addEventListener("keydown", (event) => this.#press(event));
    // Create the rows before the list opens. A browser that opens it by itself, for find in page, fires the event afterwards.
    find(".list summary", panel).addEventListener("click", () => this.#renderRows(true));
    find(".list", panel).addEventListener("toggle", () => this.#renderRows());
    panel.querySelector("form.write")?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#read();
    });
  }

  /**
   * Starts a question with its legal lines; restores its draft, or an older one that is still listed.
   * @param {Question | null} question
   * @param {Options} [options]
   */
  async ask(question, options = NOTHING) {
    const changed = this.question?.asked !== question?.asked;
    if (changed && this.unsure) this.clear();
    if (question !== PLAN) this.taker = null;
    this.turn++;
    const hadDraft = this.clicks.length + this.lines.length > 0;
    this.question = question;
    this.listed = this.options = question ? options : NOTHING;
    const draft = question ? loadDraft() : null;
    this.lines = [];
    this.clicks = [];
    this.picked = null;
    this.real = null;
    if (draft && question) await this.#restore(draft, question);
    if (this.question !== question) return;
    await this.update();
    if (changed) this.refuse("");
    if (changed && hadDraft && question && !this.clicks.length && !this.lines.length) this.refuse(say("draft_gone"));
  }

  /**
   * Starts choosing a line in advance, from lines that may be legal at the next question.
   * @param {Options} options
   * @param {(line: string) => void} taker
   * @param {string} hint
   * @param {string} take
   */
  async plan(options, taker, hint, take) {
    this.taker = taker;
    this.planWords = { hint, take };
    await this.ask(PLAN, options);
  }

  /** Drops the draft after it was sent. */
  clear() {
    this.turn++;
    this.unsure = false;
    keep(draftKey(), null);
    this.lines = [];
    this.clicks = [];
    this.picked = null;
    this.real = null;
  }

  /**
   * Chooses a mark, or takes it back if it was chosen and cannot be chosen again.
   * @param {string} mark
   */
  touch(mark) {
    if (this.busy) return;
    if (this.left.open.includes(mark)) this.clicks = [...this.clicks, mark];
    else if (this.clicks.includes(mark)) this.clicks = this.clicks.toSpliced(this.clicks.lastIndexOf(mark), 1);
    else return;
    this.refuse("");
    this.picked = null;
    void this.update(true);
  }

  /** Takes back the last touch, or the last unsent line. */
  undo() {
    if (this.busy) return;
    this.refuse("");
    this.picked = null;
    if (this.clicks.length) {
      this.clicks = this.clicks.slice(0, -1);
      void this.update(true);
    } else if (this.lines.length) void this.#takeBack(this.lines.length - 1);
  }

  /**
   * Shows the current choice and stores it.
   * @param {boolean} [aloud]
   */
  async update(aloud = false) {
    const asking = ++this.asking;
    this.look.abort();
    const left = await this.#narrow().catch((error) => {
      if (asking === this.asking) this.refuse(error instanceof Refusal ? error.message : say("offline"));
      return NONE_LEFT;
    });
    if (asking !== this.asking) return;
    if (this.clicks.length && !left.left.length) {
      this.clicks = this.clicks.slice(0, -1);
      await this.update();
      return;
    }
    this.left = left;
    this.goesOn = false;
    this.forced = [];
    this.#keep();
    this.#render();
    if (aloud) announce(this.#summary());
    await this.#lookAhead(asking);
  }

  /**
   * Says why something failed, and what to do next.
   * @param {string} text
   * @param {...HTMLElement} ways
   */
  refuse(text, ...ways) {
    const place = find(".refused", this.panel);
    place.replaceChildren(...(text ? [make("span", {}, text), ...ways] : []));
    place.hidden = !text;
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.#render();
  }

  /** The only line that can be sent now. */
  get offered() {
    return this.left.offered.length === 1 ? this.left.offered[0] : undefined;
  }

  /** @returns {Promise<Left>} */
  async #narrow() {
    const { items, more, open } = this.options;
    const picked = items.find(({ number }) => number === this.picked);
    if (picked) return { left: [picked], more: 0, open: [], offered: [picked] };
    if (more && this.clicks.length && this.events.narrow && !this.lines.length && !this.taker) {
      const found = await this.events.narrow(this.clicks);
      Object.assign(this.options.names, found.names);
      const offered = found.items.filter(({ number }) => found.offered?.includes(number));
      return { left: found.items, more: found.more, open: found.open ?? [], offered };
    }
    const found = narrow(items.map(({ marks }) => marks.map((word) => word.split(" "))), this.clicks);
    const at = (/** @type {number[]} */ places) => places.flatMap((place) => items[place] ?? []);
    // A single line is offered but not chosen yet: its marks can still be touched.
    const offered = this.clicks.length || items.length === 1 ? at(found.offered) : [];
    return { left: at(found.left), more, open: this.clicks.length ? found.open : open ?? found.open, offered };
  }

  /**
   * Asks the server what must follow the offered line, and if this seat is next after that.
   * @param {number} asking
   */
  async #lookAhead(asking) {
    const offered = this.offered;
    if (!offered || !this.events.preview || this.busy || this.taker) return;
    this.look = new AbortController();
    try {
      const lines = [...this.lines.map(({ line }) => line), offered.line];
      const shown = await this.events.preview(lines, this.look.signal);
      if (asking !== this.asking) return;
      this.forced = readForced(shown);
      this.goesOn = shown.then === "you" && shown.made.length === lines.length + this.forced.length;
      this.#render();
      if (this.forced.length) announce(this.#sentence());
    } catch {
      // The line can be sent without a preview.
    }
  }

  /** Adds the offered line to the turn, and shows the table after it. */
  #goOn() {
    if (!this.offered || this.busy) return;
    const { line, sentence } = this.offered;
    void this.#setLines([...this.lines, { line, sentence }, ...this.forced]);
  }

  /**
   * Takes back this line and all after it; a forced line goes together with the line before it.
   * @param {number} place
   */
  #takeBack(place) {
    while (place > 0 && this.lines[place]?.forced) place--;
    return this.#setLines(this.lines.slice(0, place));
  }

  /**
   * Builds a turn of these lines on the previewed table.
   * @param {Line[]} lines
   */
  async #setLines(lines) {
    this.lines = lines;
    this.refuse("");
    this.clicks = [];
    this.picked = null;
    this.options = this.listed;
    // Until the preview arrives nothing can be touched, and the last line is not offered again.
    this.left = NONE_LEFT;
    this.asking++;
    this.look.abort();
    const turn = ++this.turn;
    if (lines.length && this.events.preview) await this.#showPreview();
    else this.#showReal();
    if (turn === this.turn) await this.update(true);
  }

  /** Redraws the turn in the width that fits the page now. */
  async redraw() {
    if (!this.lines.length) return;
    await this.#showPreview();
    await this.update();
  }

  /** Shows the table after the lines of the draft, unless the question or the turn has changed by then. */
  async #showPreview() {
    const turn = this.turn;
    try {
      const shown = await this.events.preview?.(this.lines.map(({ line }) => line));
      if (turn !== this.turn) return;
      const told = this.lines.map((each, place) => ({ ...each, sentence: shown.sentences[place] ?? each.sentence }));
      this.lines = [...told, ...readForced(shown)];
      this.options = shown.then === "you" ? shown.options : NOTHING;
      if (!shown.made.length) return;
      this.real ??= this.board.picture;
      this.board.draw(parseSvg(shown.svg), true);
    } catch (error) {
      if (turn !== this.turn) return;
      this.lines = [];
      this.options = this.listed;
      this.#showReal();
      this.refuse(error instanceof Refusal ? error.message : say("offline"));
    }
  }

  /** Shows the current table instead of a preview. */
  #showReal() {
    if (this.real) this.board.draw(this.real);
    this.real = null;
  }

  /** Reads typed text, as in an email. */
  async #read() {
    const field = /** @type {HTMLInputElement} */ (find("form.write input", this.panel));
    if (!field.value.trim() || !this.events.read || this.busy) return;
    try {
      const lines = await this.events.read(field.value);
      field.value = "";
      this.#showReal();
      this.lines = [];
      const only = this.listed.items.find(({ line }) => lines.length === 1 && line === lines[0]);
      if (only) {
        this.options = this.listed;
        this.#pick(only);
      } else await this.#setLines(lines.map((line) => ({ line, sentence: line })));
      find(".send", this.panel).focus();
    } catch (error) {
      if (error instanceof Refusal) this.refuse(error.message);
      else this.refuse(say("offline"));
    }
  }

  /** @param {Option} option */
  #pick(option) {
    if (this.busy) return;
    this.refuse("");
    this.clicks = option.marks.flatMap((word) => word.split(" "));
    this.picked = this.options.items.includes(option) ? option.number : null;
    void this.update(true);
  }

  #send() {
    if (this.busy || !this.question) return;
    const lines = this.lines.map(({ line }) => line);
    if (this.offered) lines.push(this.offered.line, ...this.forced.map(({ line }) => line));
    else if (this.clicks.length) return;
    this.look.abort();
    if (this.taker && this.offered) this.taker(this.offered.line);
    else if (lines.length) this.events.send(lines);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.target instanceof HTMLInputElement || !["Escape", "Backspace"].includes(event.key)) return;
    event.preventDefault();
    this.undo();
  }

  #keep() {
    if (!this.question) return;
    const empty = !this.clicks.length && !this.lines.length;
    if (empty) keep(draftKey(), null);
    else {
      const kept = { asked: this.question.asked, lines: this.lines, clicks: this.clicks, line: this.offered?.line ?? null };
      keep(draftKey(), JSON.stringify(kept));
    }
  }

  /**
   * Restores the whole draft of this question; of another question only a line that is still listed.
   * @param {any} draft
   * @param {Question} question
   */
  async #restore(draft, question) {
    if (draft.asked === question.asked) {
      if (draft.lines.length) await this.#setLines(draft.lines);
      if (this.question !== question) return;
      this.clicks = draft.clicks;
      return;
    }
    const listed = this.options.items.find(({ line }) => line === draft.line);
    if (listed && !draft.lines.length) this.clicks = listed.marks.flatMap((word) => word.split(" "));
    else keep(draftKey(), null);
  }

  /**
   * Returns the name of a mark.
   * @param {string} mark
   */
  #name(mark) {
    return this.options.names[mark] || this.board.labelOf(mark) || (mark.split(":")[1] ?? mark);
  }

  #summary() {
    const last = this.clicks[this.clicks.length - 1];
    const chosen = last ? `${say("chosen_now", { what: this.#name(last) })} ` : "";
    if (this.offered) return `${chosen}${this.#sentence()}`;
    return `${chosen}${say("moves_left", { count: this.left.left.length + this.left.more })}`;
  }

  /** Returns what would be sent now in one sentence: the offered line and those that must follow. */
  #sentence() {
    return [this.offered?.sentence ?? "", ...this.forced.map(joinedSentence)].reduce((first, next) => say("then_line", { first, next }));
  }

  #render() {
    const asked = this.question !== null;
    this.panel.classList.toggle("asked", asked);
    this.panel.classList.toggle("plans", this.taker !== null);
    this.panel.dataset.touches = String(this.clicks.length);
    this.panel.dataset.asked = this.busy ? "" : String(this.question?.asked ?? "");
    this.panel.classList.toggle("imagined", this.lines.length > 0);
    this.board.frame.classList.toggle("imagined", this.lines.length > 0);
    this.board.show(new Set(asked && !this.busy ? this.left.open : []), this.clicks);
    this.#renderChips();
    this.#renderMarks();
    this.#renderOffer();
    this.#renderList();
  }

  #renderChips() {
    const chips = [
      ...this.lines.map((line, place) => makeLineChip(line, () => this.#takeBack(place))),
      ...this.clicks.map((mark, place) => makeChip(this.#name(mark), "chip", () => {
        this.clicks = this.clicks.toSpliced(place, 1);
        this.picked = null;
        return this.update(true);
      })),
      ...this.forced.map((line) => makeLineChip(line, () => {
        this.clicks = [];
        this.picked = null;
        return this.update(true);
      })),
    ];
    replaceKeepingFocus(find(".chips", this.panel), chips);
  }

  /** Creates buttons for marks without a shape in the picture; for a long list first only the verbs. */
  #renderMarks() {
    const shapeless = this.question ? this.left.open.filter((mark) => !this.board.has(mark)) : [];
    const verbs = shapeless.filter((mark) => mark.startsWith("say:"));
    const shown = shapeless.length > LONG_LIST && verbs.length ? verbs : shapeless;
    const buttons = shown.map((mark) => {
      const button = makeButton(this.#name(mark), "quiet mark", () => this.touch(mark));
      button.dataset.mark = mark;
      return button;
    });
    replaceKeepingFocus(find(".marks", this.panel), buttons);
  }

  #renderOffer() {
    const offered = this.offered, ready = offered !== undefined || (this.lines.length > 0 && !this.clicks.length);
    const several = this.left.offered.length > 1 || (this.clicks.length > 0 && !offered);
    const hint = this.taker ? this.planWords.hint : this.lines.length ? say("not_sent") : say("touch");
    const text = offered ? this.#sentence() : (several ? say("moves_left", { count: this.left.left.length + this.left.more }) : hint);
    const offer = find(".offer", this.panel);
    offer.textContent = this.question ? text : "";
    offer.classList.toggle("whole", offered !== undefined);
    const send = /** @type {HTMLButtonElement} */ (find(".send", this.panel));
    send.hidden = !this.question;
    send.setAttribute("aria-disabled", String(!ready || this.busy));
    const count = this.lines.length + (offered ? 1 + this.forced.length : 0);
    send.textContent = this.busy ? say("sending") : count > 1 ? say("send_lines", { count }) : this.taker ? this.planWords.take : say("send");
    find(".then", this.panel).hidden = !this.goesOn || this.busy;
  }

  #renderList() {
    const list = find(".list", this.panel);
    const { left, more } = this.left;
    list.hidden = !this.question || (!left.length && !this.panel.querySelector("form.write"));
    find("summary .count", list).textContent = say("moves_left", { count: left.length + more });
    this.#renderRows();
  }

  /**
   * Creates the rows of the list, but not while it is closed: there may be hundreds.
   * @param {boolean} [opens]
   */
  #renderRows(opens = false) {
    const list = /** @type {HTMLDetailsElement} */ (find(".list", this.panel)), { left, more } = this.left;
    if (!list.open && !opens) {
      find(".moves", list).replaceChildren();
      return;
    }
    const offered = new Set(this.left.offered);
    /** @param {Option} option */
    const row = (option) => {
      const button = makeButton(option.sentence, "option", () => this.#pick(option));
      button.dataset.line = option.line;
      button.setAttribute("aria-pressed", String(offered.has(option) && offered.size === 1));
      return make("li", {}, button);
    };
    const rows = left.length <= LONG_LIST
      ? [make("ol", { class: "options" }, ...left.map(row))]
      : [...groupByVerb(left)].flatMap(([verb, options]) => [
        make("h3", {}, data.verbs[verb] ?? verb),
        make("ol", { class: "options" }, ...options.map(row)),
      ]);
    if (more) rows.push(make("p", { class: "hint" }, say("more_moves", { count: more })));
    replaceKeepingFocus(find(".moves", list), rows);
  }
}

/**
 * Returns a chip for a choice, which a click takes back.
 * @param {string} text
 * @param {string} looks
 * @param {() => unknown} undo
 */
export function makeChip(text, looks, undo) {
  const chip = makeButton("", looks, () => void undo());
  chip.append(make("span", {}, text));
  chip.setAttribute("aria-label", say("take_back", { what: text }));
  chip.append(make("span", { class: "cross", "aria-hidden": "true" }, "×"));
  return chip;
}

/**
 * Returns a chip for a line of the draft; one that is forced says so.
 * @param {Line} line
 * @param {() => unknown} undo
 */
function makeLineChip({ sentence, forced }, undo) {
  if (!forced) return makeChip(sentence, "chip line", undo);
  const chip = makeChip(`${sentence} · ${say("only_way")}`, "chip line forced", undo);
  find("span", chip).replaceChildren(sentence, make("small", {}, ` · ${say("only_way")}`));
  return chip;
}

/**
 * Returns the lines that the server added to a preview because there was no other choice.
 * @param {any} shown
 * @returns {Line[]}
 */
function readForced({ made, sentences, forced }) {
  const first = made.length - forced;
  return made.slice(first).map((/** @type {string} */ line, /** @type {number} */ place) => (
    { line, sentence: sentences[first + place], forced: true }
  ));
}

/**
 * Returns the sentence of a line as it reads after another. Only a verb loses its capital: a name keeps it.
 * @param {Line} line
 */
function joinedSentence({ line, sentence }) {
  const verb = data.verbs[line.split(" ")[0] ?? ""] ?? "";
  const starts = verb && sentence.toLowerCase().startsWith(verb.toLowerCase());
  return starts ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/**
 * Replaces children; if one had the focus, the one with the same text or position gets it.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
function replaceKeepingFocus(parent, children) {
  const active = document.activeElement;
  const had = active instanceof HTMLElement && parent.contains(active) ? active : null;
  const place = had ? [...parent.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (had)) : -1;
  parent.replaceChildren(...children);
  if (!had) return;
  const buttons = [...parent.querySelectorAll("button")];
  const next = buttons.find((button) => button.textContent === had.textContent) ?? buttons[Math.min(place, buttons.length - 1)];
  (next ?? find(".send")).focus({ preventScroll: true });
}

/**
 * Groups options by the first word of their lines.
 * @param {Option[]} options
 * @returns {Map<string, Option[]>}
 */
function groupByVerb(options) {
  /** @type {Map<string, Option[]>} */
  const groups = new Map();
  for (const option of options) {
    const verb = option.line.split(" ")[0] ?? "", group = groups.get(verb);
    if (group) group.push(option);
    else groups.set(verb, [option]);
  }
  return groups;
}

function draftKey() {
  return `echtra:draft:${data.match}`;
}

/** @returns {any} */
function loadDraft() {
  try {
    return JSON.parse(recall(draftKey()) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Creates the requests to the API that a choice needs, for the seat of this page.
 * @param {string} match
 * @returns {Pick<ChoiceEvents, "preview" | "narrow" | "read">}
 */
export function askMatch(match) {
  const path = `/v1/matches/${match}`;
  return {
    preview: (lines, signal) => ask("POST", `${path}/preview`, {
      lines, narrow: pictureForm() === "narrow", chain: !hasPreference("single-steps"),
    }, {}, signal),
    narrow: (marks) => ask("GET", `${path}/options?${new URLSearchParams(marks.map((mark) => ["mark", mark]))}`),
    read: async (text) => (await ask("POST", `${path}/reading`, { text })).lines,
  };
}

/**
 * Reads the lines that the page lists.
 * @param {Options} rest what the server tells of them besides
 * @returns {Options}
 */
export function readOptions(rest) {
  const items = [...document.querySelectorAll("#turn .options li")].map((row) => {
    const { line = "", marks = "", number = "0" } = /** @type {HTMLElement} */ (row).dataset;
    return { number: Number(number), line, marks: marks.split("|"), sentence: row.querySelector("span")?.textContent ?? "" };
  });
  return { ...rest, items };
}
