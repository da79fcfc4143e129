// A step of a lesson: the board is touched as in a match; another line than the expected one is legal too, and said so.
// At its end the board is only looked at.

import { data, find, narrowPage, say, sheetPage } from "./page.js";
import { Board } from "./board.js";
import { MoveDraft, readOptions } from "./move_draft.js";

const frame = find(narrowPage.matches ? "#board .frame.narrow" : "#board .frame.wide");
const other = find(narrowPage.matches ? "#board .frame.wide" : "#board .frame.narrow");
/** The picture of the other form, for a page that becomes a phone's or the other way round. */
let spare = /** @type {SVGSVGElement} */ (other.querySelector("svg"));
other.remove();
/** @type {HTMLElement | null} where lines are chosen, but for the end of the lesson */
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
  if (frame.classList.contains("narrow") === narrowPage.matches) return;
  const next = spare;
  spare = board.picture;
  frame.classList.toggle("narrow", narrowPage.matches);
  frame.classList.toggle("wide", !narrowPage.matches);
  board.draw(next);
  void draft?.update();
});
