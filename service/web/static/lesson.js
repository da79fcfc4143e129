// A step of a lesson, on its own page or on the home page: the board works as in a match. If a legal line is not the expected one, the page says so.
// At the end of the lesson the board cannot be touched.

import { data, find, narrowPage, say, sheetPage } from "./page.js";
import { Board } from "./board.js";
import { MoveDraft, readOptions } from "./move_draft.js";

// The home page has one frame for all widths.
const other = document.querySelector(`#board .frame.${narrowPage.matches ? "wide" : "narrow"}`);
/** The picture in the other width, for when the page becomes narrow or wide. */
let spare = /** @type {SVGSVGElement | null | undefined} */ (other?.querySelector("svg"));
other?.remove();
const frame = find("#board .frame");
/** @type {HTMLElement | null} the part for choosing lines; null at the end of the lesson */
const panel = document.querySelector("#turn");
const board = new Board(frame, data.board, { touch: (mark) => draft?.touch(mark), undo: () => draft?.undo() });
const draft = panel && new MoveDraft(panel, board, {
  preview: null,
  narrow: null,
  read: null,
  send: ([line]) => {
    if (line === data.expected) {
      draft?.clear();
      location.assign(data.next);
    } else draft?.refuse(say("also_legal", { sentence: data.sentence }));
  },
});
if (panel && draft) {
  const list = /** @type {HTMLDetailsElement} */ (find(".list", panel));
  list.open = !sheetPage.matches;
  void draft.ask({ asked: 0, prev: "", at: "", due: null }, readOptions(data.options)).then(() => panel.classList.add("ready"));
} else board.show(new Set(), []);
narrowPage.addEventListener("change", () => {
  if (!spare || frame.classList.contains("narrow") === narrowPage.matches) return;
  const next = spare;
  spare = board.picture;
  frame.classList.toggle("narrow", narrowPage.matches);
  frame.classList.toggle("wide", !narrowPage.matches);
  board.draw(next);
  void draft?.update();
});
