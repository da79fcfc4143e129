// The cards of Tír na nÓg as they go round: deck, Otherworld, Sagas and discards, as far as draws depend on them.
// Section 4 of docs/RECORD.md says the same in words. Plain JavaScript, no dependency.

import { demand, drawCard } from "./record.mjs";

const ONCE = `aengus-bru bru-na-boinne clurachan-brewery dobhar-chu-loch dolmen gancanaghs-valley hungry-oillipheist
  keening-banshee leipreachan-cobblers mag-mell manannans-dock merrow-milliners selkie-cove sidhe-court sly-bodach tur-bhalair`;
const TWICE = `barley-field cailleachs-crag cu-chulainn cu-sidhe-kennel curragh-crew drowned-bell dullaghan ember-sprite
  fairy-ring far-darrig fomoire-raiders glastonbury-tor golden-bough great-oak harpers-seat hawthorn-gate hazel-grove lugh
  macha misty-strand ninth-wave nuada queen-medb raven-omen red-branch-warrior sea-cave seal-rocks shamrock-patch
  smiths-forge standing-stone storm-lord sunlit-cairn the-dagda tide-pool tuatha-de-danann wandering-puca war-drum
  water-kelpie white-stag will-o-the-wisp`;
const names = (text) => text.split(/\s+/);
const DECK = [...names(ONCE), ...names(TWICE), ...names(TWICE)].sort();
const EDITIONS = { "house-1": DECK, "house-2": DECK, "house-3": DECK };
const GEAS = [
  ["oisin", "benandonner", "diarmuid", "etain"],
  ["fionn", "knockgrafton", "deirdre", "gollerus"],
  ["cathbad", "lir", "fergus", "owney"],
];

/** Three rows of a seat's cards; null is a hole. */
class Saga {
  rows = { top: [], middle: [], bottom: [] };

  /** Lays a card into the first open slot of a row. */
  lay(row, card) {
    demand(Object.hasOwn(this.rows, row), "rules", `there is no row ${row}`);
    const hole = this.rows[row].indexOf(null);
    if (hole >= 0) this.rows[row][hole] = card;
    else this.rows[row].push(card);
  }

  /** Returns the card at a place such as top3, and puts the other card, or a hole, there. */
  change(place, other = null) {
    const [, row, slot] = /^(top|middle|bottom)([1-9])$/.exec(place) ?? ["", "top", 0];
    const card = this.rows[row][slot - 1];
    demand(typeof card === "string", "rules", `no card lies at ${place}`);
    this.rows[row][slot - 1] = other;
    return card;
  }

  /** Moves a card to the slot of a row that was open before the card left its place. */
  shift(place, row) {
    const card = this.change(place, "leaving");
    this.lay(row, card);
    this.change(place);
  }

  /** Swaps two cards. */
  swap(one, other) {
    const card = this.change(one, "leaving");
    this.change(one, this.change(other, card));
  }
}

export class TirNaNog {
  static knows(header) {
    return Object.hasOwn(EDITIONS, JSON.parse(header.options).edition);
  }

  constructor(header) {
    const { edition, geas, balor } = JSON.parse(header.options);
    const seats = Array.from({ length: header.seats }, (_, seat) => seat);
    this.solo = balor !== "off";
    this.seats = seats.length;
    this.random = geas === "random";
    this.deck = [...EDITIONS[edition]];
    this.discards = [];
    this.hands = this.solo ? [0] : seats;
    this.sagas = seats.map(() => new Saga());
    const columns = [...seats, seats.length].map((seat) => seat + 1);
    this.cells = [..."abc"].flatMap((row) => columns.map((column) => `${row}${column}`));
    if (seats.length === 2) this.cells = this.cells.filter((cell) => cell !== "b2");
    this.otherworld = new Map();
  }

  async chance([verb, seat], pick) {
    if (verb === "start") return ["start", ...(await this.beginning(pick))];
    if (verb === "deal") return ["deal", this.hands.shift(), ...(await this.draw(5, pick))];
    if (verb === "draw") return ["draw", seat, ...(await this.draw(1, pick))];
    if (verb === "turn" && this.solo) {
      const cards = await this.draw(1, pick);
      this.discards.push(...cards);
      return ["turn", ...cards];
    }
    if (verb !== "lay") return ["nothing"];
    this.discards.push(...this.otherworld.values());
    const cards = await this.draw(this.cells.length, pick);
    this.otherworld = new Map(this.cells.map((cell, at) => [cell, cards[at]]));
    return ["lay", ...cards];
  }

  async beginning(pick) {
    const found = [this.solo ? 1 : await pick(this.seats)];
    for (const row of this.random ? GEAS : []) found.push(row[await pick(row.length)]);
    return found;
  }

  /** Draws this many cards; when the deck is empty, all discards become the deck, even between two cards of one line. */
  async draw(count, pick) {
    const cards = [];
    while (cards.length < count) {
      if (this.deck.length === 0) [this.deck, this.discards] = [this.discards.sort(), []];
      cards.push(await drawCard(this.deck, pick));
    }
    return cards;
  }

  seat(seat, [verb, one, other]) {
    const saga = this.sagas[seat];
    if (verb === "take") demand(this.otherworld.delete(one), "rules", `no card lies at ${one}`);
    if (verb === "play") saga.lay(other, one);
    if (verb === "discard") this.discards.push(one);
    if (verb === "eat") this.discards.push(saga.change(one));
    if (verb === "shift") saga.shift(one, other);
    if (verb === "swap") saga.swap(one, other);
  }
}
