// The cards of Bardwood Grove as they circulate: piles on the board, decks, songs and brag areas, as far as draws depend on
// them. Section 4 of docs/RECORD.md says the same in words. Plain JavaScript, no dependency.

import { demand, drawCard } from "./record.mjs";

const BOXES = ["base", "spring", "summer", "autumn", "winter"];
const names = (text) => text.split(/\s+/).filter((name) => name !== "");
const byBox = (...texts) => texts.map(names);
const upTo = (boxes, content) => boxes.slice(0, BOXES.indexOf(content) + 1).flat().sort();

const BARDS = byBox(
  `bardbarian piper sword-dancer wardrummer`,
  `harper`,
  `flautist`,
  `lutenist`,
  `fiddler`,
);
const DECKS = {
  "bardbarian": names("battle-cry big-boast headbang mead-money rough-chorus war-story war-whoop"),
  "sword-dancer": names("first-step quick-reel sword-verse thrown-coins twin-blades veiled-words whirl"),
  "wardrummer": names("drum-and-voice marching-words rimshot roll-call soldiers-pay steady-beat thunder-roll"),
  "piper": names("drone-note high-reel hill-call lament low-drone lullaby wedding-fee"),
  "harper": names("cascade glissando golden-string hall-song river-air royal-purse soft-verse"),
  "flautist": names("bird-call long-breath market-tune trill two-tongues whispered-tale wind-song"),
  "lutenist": names("answering-strings courtly-line garden-duet open-chords patrons-gift plucked-tune strum"),
  "fiddler": names("barn-dance bow-stroke devils-wager double-talk mocking-verse pizzicato sly-jig"),
};
const BASIC_IMPROS = names("drone-note glissando pizzicato rimshot strum trill war-whoop whirl");
const FANS = byBox(
  `clapper coin-tosser courier dockhand ferryman foot-tapper glass-singer jeweller loud-cousin pathfinder
    river-maid timekeeper`,
  `florist raft-boy scout`,
  `dancer heckler patron`,
  `angler harvest-hand messenger`,
  `hermit pedlar snow-shouter`,
);
const IMPROS = byBox(
  `call-and-answer drum-roll feedback merch-table rhyme riff shout stomp tip-jar toast whistle yodel`,
  `free-form river-verse small-change`,
  `ferry-rhyme long-echo overtone`,
  `encore-cry row-song undertone`,
  `avalanche frost-chime open-tuning`,
);
const SKILLS = byBox(
  `bright-chorus crescendo fireside-yarn harmony marching-tune passing-the-hat power-chord resonance
    rolling-refrain spoken-verse street-ballad tall-tale`,
  `buskers-jig dawn-song sapling-waltz`,
  `echo-call festival-anthem sunny-limerick`,
  `falling-cadence harvest-round old-saga`,
  `hush northern-dirge solstice-hymn`,
);
const SMALL = byBox(
  `bramble-fox coin-toad drum-beetle gloom-stag glow-wisp humming-hedgehog lantern-owl moss-badger root-imp
    thorn-boar`,
  `bellow-bear puddle-drake`,
  `shriek-hawk`,
  `vine-serpent`,
  `copper-crow reed-otter`,
);
const BOSSES = byBox(
  `cacophony-hydra dissonant-dragon hollow-treant screech-queen thunder-troll`,
  `feedback-golem`,
  `discord-wyrm`,
  ``,
  `void-choir`,
);
const LEGENDS_I = byBox(
  `carved-stones the-first-crowd the-gentle-hunter the-misers-song torn-banners`,
  ``,
  `the-apprentice`,
  ``,
  `singing-crystals`,
);
const LEGENDS_II = byBox(
  `the-grand-tour the-masters-book the-silent-wheel the-tamed-forest the-thousand-hands`,
  ``,
  `the-proud-rival`,
  ``,
  `the-three-gifts`,
);
const LEGENDS_III = byBox(
  `the-eight-runes the-five-terrors the-four-winds the-golden-age the-tale-of-tales`,
  ``,
  `the-endless-jam`,
  ``,
  `the-emerald-hoard`,
);
const MOTIFS = byBox(
  `double-calm long-song old-and-new wild-impro`,
  `busy-night full-voice`,
  `friend-and-foe stage-and-story`,
  `fan-club heavy-purse`,
  `deafening whisper`,
);
const SEASONS = byBox(
  `nesting-time snowmelt spring-fair young-crowd`,
  `contest-week gem-fair long-days open-air-season`,
  `clear-air crystal-harvest fireside-tales harvest-hymn`,
  `drowsy-giants frozen-river midwinter-carol snowed-in`,
);
const MUSES = names(`muse-of-banners muse-of-beasts muse-of-craft muse-of-crowds muse-of-pride muse-of-stages muse-of-tales muse-of-wealth`).sort();
const LAIRS = names("moss-gate owl-cliff bramble-hollow reed-marsh old-bridge");
const STAGES = names("open-stage lakeside-bandstand hollow-oak grand-amphitheatre");
const RIVAL_CARDS = [...LAIRS, ...STAGES, "river", "school", "duel"].sort();
const PILES = ["fans", "impro1", "impro2", "skill1", "skill2", ...LAIRS];

/** Removes one of some cards. */
function take(cards, card) {
  const at = cards.indexOf(card);
  demand(at >= 0, "rules", `${card} is not there`);
  cards.splice(at, 1);
}

/** The cards of one seat. */
class Seat {
  bard = "";
  pile = [];
  hand = [];
  discard = [];
  song = [];
  brag = [[], []];
  arriving = "";

  choose(bard) {
    demand(Object.hasOwn(DECKS, bard) && this.bard === "", "rules", `${bard} cannot be chosen`);
    this.bard = bard;
    this.pile = [...DECKS[bard]];
    this.discard = [`${bard}-fan`];
  }

  /** Puts a creature on the first empty space, or lets it wait for `stack`. */
  welcome(creature) {
    const space = this.brag.find((cards) => cards.length === 0);
    if (space) space.push(creature);
    else this.arriving = creature;
  }
}

export class BardwoodGrove {
  static knows(header) {
    return JSON.parse(header.options).edition === "house-1";
  }

  constructor(header) {
    const { content, bards, rival } = JSON.parse(header.options);
    this.content = content;
    this.solo = rival !== "none";
    this.people = this.solo ? 1 : header.seats;
    this.seats = Array.from({ length: header.seats }, () => new Seat());
    if (!["choose", "random"].includes(bards)) bards.split(",").forEach((bard, seat) => this.seats[seat].choose(bard));
    this.unseen = Object.fromEntries(Object.entries({ fan: FANS, impro: IMPROS, skill: SKILLS, small: SMALL, boss: BOSSES,
      legend1: LEGENDS_I, legend2: LEGENDS_II, legend3: LEGENDS_III }).map(([kind, boxes]) => [kind, upTo(boxes, content)]));
    this.skills = new Set([...SKILLS.flat(), ...Object.values(DECKS).flat().filter((card) => !BASIC_IMPROS.includes(card))]);
    this.fans = new Set([...FANS.flat(), ...Object.keys(DECKS).map((bard) => `${bard}-fan`)]);
    this.creatures = new Set([...SMALL.flat(), ...BOSSES.flat()]);
    this.tops = new Map();
    this.left = new Map(PILES.map((pile) => [pile, pile === "fans" ? 12 : LAIRS.includes(pile) ? 3 : 6]));
    if (header.seats === 2) for (const lair of ["moss-gate", "owl-cliff"]) this.left.set(lair, 2);
    this.rivalCards = [...RIVAL_CARDS];
  }

  async chance([verb, one], pick) {
    if (verb === "start") return ["start", this.solo ? 0 : await pick(this.seats.length)];
    if (verb === "events") return ["events", ...(await this.events(pick))];
    if (verb === "motifs") return ["motifs", ...(await this.some(upTo(MOTIFS, this.content), 6, pick))];
    if (verb === "lay") return ["lay", ...(await this.lay(pick))];
    if (verb === "muses") return ["muses", ...(await this.some([...MUSES], this.people, pick))];
    if (verb === "bards") return ["bards", ...(await this.bards(pick))];
    if (verb === "draw" || verb === "meet") return this.draw(one, pick);
    if (verb === "top") return ["top", one, await this.turn(one, pick)];
    return verb === "rival" && this.solo ? ["rival", await drawCard(this.rivalCards, pick)] : ["nothing"];
  }

  async some(cards, count, pick) {
    const found = [];
    while (found.length < count) found.push(await drawCard(cards, pick));
    return found;
  }

  async events(pick) {
    const all = SEASONS.flat().sort();
    const first = all[await pick(all.length)];
    const season = SEASONS.findIndex((events) => events.includes(first));
    const after = [...SEASONS[season], ...SEASONS[(season + 1) % 4]].filter((event) => event !== first).sort();
    return [first, after[await pick(after.length)]];
  }

  async bards(pick) {
    const found = await this.some(upTo(BARDS, this.content), this.people, pick);
    found.forEach((bard, seat) => this.seats[seat].choose(bard));
    return found;
  }

  /** Returns the unseen cards that a pile's next card is drawn from; for a lair's last card these are bosses. */
  kind(pile) {
    if (LAIRS.includes(pile)) return this.unseen[this.left.get(pile) === 1 ? "boss" : "small"];
    return this.unseen[{ fans: "fan" }[pile] ?? (pile.startsWith("legend") ? pile : pile.slice(0, -1))] ?? [];
  }

  async turn(pile, pick) {
    const cards = this.kind(pile);
    demand(cards.length > 0, "rules", `no card comes to ${pile}`);
    const card = await drawCard(cards, pick);
    if (PILES.includes(pile)) this.tops.set(pile, card);
    return card;
  }

  async lay(pick) {
    const found = [];
    for (const pile of [...PILES, "legend1", "legend2", "legend3"]) found.push(await this.turn(pile, pick));
    return found;
  }

  /** Draws a card from a seat's pile, or from its whole discard pile if that is empty. */
  async draw(number, pick) {
    const seat = this.seats[number];
    demand(seat !== undefined && seat.pile.length + seat.discard.length > 0, "rules", `seat ${number} has no cards`);
    if (seat.pile.length === 0) [seat.pile, seat.discard] = [seat.discard.sort(), []];
    const card = await drawCard(seat.pile, pick);
    if (this.skills.has(card)) seat.hand.push(card);
    else if (this.fans.has(card)) seat.discard.push(card);
    else if (this.creatures.has(card)) seat.welcome(card);
    else seat.song.push(card);
    return [this.skills.has(card) ? "draw" : "meet", number, card];
  }

  /** Removes the top card of a pile. */
  lift(pile) {
    const card = this.tops.get(pile);
    if (card !== undefined) this.left.set(pile, this.left.get(pile) - 1);
    this.tops.delete(pile);
    return card === undefined ? [] : [card];
  }

  pileOf(card) {
    const found = PILES.find((pile) => this.tops.get(pile) === card);
    demand(found !== undefined, "rules", `${card} lies on no pile`);
    return found;
  }

  seat(number, [verb, one, other]) {
    const seat = this.seats[number];
    const rival = this.solo && number === 1;
    if (verb === "bard") this.choose(seat, one);
    if (verb === "compose") this.compose(seat, one, other);
    if (verb === "done") [seat.song, seat.discard] = [[], [...seat.discard, ...seat.song]];
    if (verb === "buy") for (const card of [one, other]) if (card) seat.discard.push(...this.lift(this.pileOf(card)));
    if ((verb === "perform" && one === "open-stage") || (verb === "offer" && one === "young-crowd")) seat.discard.push(...this.lift("fans"));
    if (verb === "soothe") {
      this.lift(this.pileOf(one));
      if (!rival) seat.welcome(one);
    }
    if (verb === "stack" || verb === "brag") this.boast(seat, verb, one);
    if (rival && this.rivalCards.length === 0) this.rivalCards = [...RIVAL_CARDS];
  }

  compose(seat, song, discard) {
    for (const card of [song, discard]) take(seat.hand, card);
    seat.song.push(song);
    seat.discard.push(discard);
  }

  boast(seat, verb, space) {
    demand(space === "1" || space === "2", "rules", `there is no space ${space}`);
    if (verb === "stack") seat.brag[space - 1].push(seat.arriving);
    else seat.discard.push(...seat.brag[space - 1].splice(0));
  }

  /** Chooses a bard; a single remaining one is taken without a line. */
  choose(seat, bard) {
    seat.choose(bard);
    const free = upTo(BARDS, this.content).filter((each) => this.seats.every((other) => other.bard !== each));
    const waiting = this.seats.slice(0, this.people).filter((other) => other.bard === "");
    if (free.length === 1 && waiting.length === 1) waiting[0].choose(free[0]);
  }
}
