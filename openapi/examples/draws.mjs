// Checks that the cards of a finished match follow from its seed: section 4 of docs/RECORD.md, game by game.
// Plain JavaScript, no dependency. A game is made from the header and has two methods:
//   chance(words, pick)  the words that chance must have said where it said these; `await pick(n)` is the next numbered pick
//   seat(seat, words)    a line of a seat, from which the game learns what leaves the table and who draws

import { BardwoodGrove } from "./bardwood-grove.mjs";
import { Fault, demand, drawCard, matchKey, pick } from "./record.mjs";
import { TirNaNog } from "./tir-na-nog.mjs";

class Keltis {
  constructor(header) {
    const values = [0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, "E", "E"];
    const coloured = [..."RYGBP"].flatMap((colour) => values.map((value) => `${colour}${value}`));
    this.unseen = [...coloured, ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((value) => `N${value}`)];
    this.hands = Array.from({ length: header.seats }, (_, seat) => seat);
    this.seats = header.seats;
    this.starts = JSON.parse(header.options).start === "drawn";
    this.drawer = "nobody";
  }

  async chance(words, pick) {
    if (this.starts) {
      this.starts = false;
      return ["start", await pick(this.seats)];
    }
    const deals = this.hands.length > 0;
    const found = deals ? ["deal", this.hands.shift()] : ["draw", this.drawer];
    for (let count = deals ? 8 : 1; count > 0; count -= 1) found.push(await drawCard(this.unseen, pick));
    this.drawer = "nobody";
    return found;
  }

  seat(seat, words) {
    if (words.join(" ") === "draw deck") this.drawer = seat;
  }
}

class Tain {
  constructor(header) {
    this.seats = header.seats;
    this.starts = JSON.parse(header.options).first === "drawn";
  }

  async chance(words, pick) {
    const found = this.starts ? ["start", await pick(this.seats)] : ["nothing"];
    this.starts = false;
    return found;
  }

  seat() {}
}

/** The latest revision whose draws are implemented here, if it is not the first. */
const REVISIONS = { keltis: 2, tain: 2, "tir-na-nog": 3 };
const GAMES = { "bardwood-grove": BardwoodGrove, keltis: Keltis, tain: Tain, "tir-na-nog": TirNaNog };

/** Returns the number of checked picks; null if there is no seed yet, or the game or its cards are unknown here. */
export async function checkDraws(walk) {
  const { header, seed, entries } = walk;
  const Game = Object.hasOwn(GAMES, header.game) && header.revision <= (REVISIONS[header.game] ?? 1) ? GAMES[header.game] : null;
  if (seed === null || Game === null || Game.knows?.(header) === false) return null;
  const K = await matchKey(seed, header.places.map((place) => place.nonce), header.beacon);
  const table = new Game(header);
  let j = 0;
  const next = async (n) => Number(await pick(K, j++, n));
  for (const { seq, seat, line } of entries) {
    try {
      await follow(table, seat, line, next);
    } catch (error) {
      throw error instanceof Fault ? new Fault(error.reason, error.detail, walk.lineOf(seq)) : error;
    }
  }
  return j;
}

async function follow(table, seat, line, next) {
  if (seat >= 0) table.seat(seat, line.split(" "));
  if (seat !== -1) return;
  const given = (await table.chance(line.split(" "), next)).join(" ");
  demand(given === line, "rules", `the seed gives "${given}", not "${line}"`);
}
