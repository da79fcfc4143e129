// A step of a lesson: the board is touched as in a match; another line than the expected one is legal too, and said so.

import { data, find, narrowPage, say, sheetPage } from "./page.js";
import { Board } from "./board.js";
import { Choice } from "./choice.js";
import { readOptions } from "./options.js";

const frame = find(narrowPage.matches ? "#board .frame.narrow" : "#board .frame.wide");
const panel = find("#turn");
const board = new Board(frame, data.board, { touch: (mark) => choice.touch(mark), undo: () => choice.undo() });
const choice = new Choice(panel, board, {
  preview: null,
  narrow: null,
  read: null,
  send: ([line]) => {
    if (line === data.expected) {
      choice.clear();
      location.assign(data.next);
    } else choice.refuse(say("also_legal", { sentence: data.sentence }));
  },
});
/** @type {HTMLDetailsElement} */ (find(".list", panel)).open = !sheetPage.matches;
void choice.ask({ asked: 0, prev: "", at: "", due: null }, readOptions(data.options)).then(() => panel.classList.add("ready"));
