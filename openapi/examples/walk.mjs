// One walk through an export, line by line, as docs/RECORD.md describes it: the form and the place of each kind of line.
// Plain JavaScript, WebCrypto, no dependency.

import {
  FIELDS, FORMS, Fault, H, M, T, checkEntryFields, checkFields, demand, hex, ids, isKeys, isLine, isShown, number, parse, readHeader,
  signedBy, sound, thumbprint, unhex,
} from "./record.mjs";

const ORDER = ["header", "key", "entry", "receipt", "seed", "head"];

function ascends(one, other) {
  const i = one.findIndex((part, at) => part !== other[at]);
  return i >= 0 && one[i] < other[i];
}

export class Walk {
  constructor(serverKeys) {
    Object.assign(this, { serverKeys, line: 0, rank: -1, keys: new Map(), named: new Map(), entries: [], hashes: [] });
    Object.assign(this, { receipts: [], seed: null, head: null, paused: false, ended: false, attested: 0 });
  }

  lineOf(seq) {
    return seq === 0 ? 1 : 1 + this.keys.size + seq;
  }

  name(keys, line) {
    for (const id of keys) if (!this.named.has(id)) this.named.set(id, line);
  }

  async take(textOfLine, before) {
    this.line += 1;
    try {
      const row = parse(textOfLine);
      demand(ORDER.includes(row.type), "fields", "no such type of line");
      if (row.type === "entry") checkEntryFields(row);
      else checkFields(row, FIELDS[row.type]);
      const rank = ORDER.indexOf(row.type);
      const again = rank === this.rank && ["header", "seed", "head"].includes(row.type);
      demand((this.rank >= 0 || rank === 0) && rank >= this.rank && !again, "order", `a ${row.type} cannot stand here`);
      this.rank = rank;
      await this[`on${row.type[0].toUpperCase()}${row.type.slice(1)}`](row, before);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw new Fault(error.reason, error.detail, error.line || this.line);
    }
  }

  async onHeader(row) {
    const found = readHeader(row.lines);
    demand((await H(T(...row.lines))) === row.hash, "hash", "the rows do not give the hash");
    this.header = found;
    this.places = found.places.map((place) => ({ ...place }));
    this.hashes.push(row.hash);
    for (const place of this.places) this.name(ids(place.keys), 1);
    this.proved = this.places.map((place) => new Set(ids(place.keys)));
  }

  async onKey({ id, jwk: { x } }) {
    demand([...this.keys.keys()].every((other) => other < id), "order", "keys ascend by id");
    demand(sound(x) && (await thumbprint(x)) === id, "key", "not sound, or not its id");
    this.keys.set(id, x);
  }

  async onEntry(row) {
    const [kind, maker = ""] = row.by.split(" ");
    const { seq, seat, at } = row;
    const open = !Object.hasOwn(row, "shown");
    const last = this.entries.at(-1);
    demand(seq === this.hashes.length, "order", `entry ${this.hashes.length} must stand here`);
    demand(!this.ended, "house", "nothing follows the end");
    demand(seat >= -2 && seat < this.places.length, "by", `there is no seat ${seat}`);
    demand(at >= (last?.at ?? this.header.started), "time", "time falls");
    demand(({ chance: -1, house: -2 }[kind] ?? Math.max(seat, 0)) === seat, "by", "seat and kind do not go together");
    demand(kind !== "mail" || this.header.moves !== "signed", "by", "mail makes no moves here");
    this.checkLine(row, kind, open);
    if (open) demand((await H(T("echtra-line-v1", row.salt, row.line))) === row.commit, "commit", "line and salt differ");
    const hash = await H(T("echtra-entry-v1", this.header.match, seq, seat, at, row.by, row.commit, this.hashes.at(-1)));
    demand(hash === row.hash, "hash", "the chain is broken");
    const verb = open ? row.line.split(" ")[0] : "";
    const always = kind === "house" || (seat >= 0 && ["keys", "resign"].includes(verb));
    demand(!this.paused || always, "house", "made while paused");
    if (seat >= 0) await this.checkMaker(row, kind, maker, verb, open);
    if (kind === "house") this.follow(row.line, at);
    if (kind === "signed" && verb === "keys") this.places[seat].keys = row.line.slice(5);
    if (kind === "signed" && verb === "keys") this.name(ids(row.line.slice(5)), this.line);
    if (kind === "signed" && open) this.prove(row, verb);
    this.entries.push({ ...row, kind, maker, open });
    this.hashes.push(row.hash);
  }

  // A key that only the house gave to a seat is attested, not proved, until a proved key of the seat signs for it.
  prove({ seat, key, line }, verb) {
    const proved = this.proved[seat];
    if (!proved.has(key)) this.attested += 1;
    else if (verb === "keys") for (const id of ids(line.slice(5))) proved.add(id);
  }

  checkLine(row, kind, open) {
    if (!open) {
      demand(isShown(row.shown), "line", "not a redacted form");
      const hidden = kind === "house" || (row.seat >= 0 && row.shown.split(" ")[0] === "keys");
      return demand(!hidden, "line", "such a line is never redacted");
    }
    demand(isLine(row.line), "line", "not a line");
    const [verb, ...words] = row.line.split(" ");
    const keys = words.join(" ");
    const fine = kind !== "signed" || verb !== "keys" || (keys !== "-" && isKeys(keys));
    return demand(fine, "line", "a seat's own keys line names one to eight keys");
  }

  async checkMaker(row, kind, maker, verb, open) {
    const { bot } = this.places[row.seat];
    demand(kind === "bot" ? maker === bot : bot === "", "by", "another sits on this seat");
    demand(verb !== "keys" || kind === "signed", "by", "a seat's own keys line is signed");
    if (open && kind === "signed") await this.checkSigned(row, maker);
    if (open && kind === "mail") {
      const { received, door, raw, verdict } = row.mail;
      const attested = await H(T("echtra-mail-v1", row.salt, received, door, raw, verdict));
      demand(attested === maker, "mail", "not what by says");
      demand(received <= row.at, "time", "made before received");
    }
  }

  async checkSigned(row, maker) {
    const { seat, asked, n, key, signature } = row;
    const signed = row.text ?? row.line;
    if (Object.hasOwn(row, "text")) {
      const lines = signed.split(" | ");
      const fine = signed.length <= 400 && lines.length >= 2 && lines.every(isLine) && new Set(lines).size === lines.length;
      demand(fine && lines.includes(row.line), "line", "none of the alternatives");
    }
    demand((await H(unhex(signature))) === maker, "signature", "not the signature by names");
    demand(asked < row.seq && n >= 1 && n <= 64, "asked", "asked or n out of range");
    demand(ids(this.places[seat].keys).includes(key), "key", "not a key of the seat at this time");
    demand(this.keys.has(key), "key", "the key is not shown");
    const since = this.entries.slice(asked).filter((each) => each.seat === seat);
    const follows = since.length === n - 1 && since.every((each, i) =>
      each.kind === "signed" && (!each.open || (each.asked === asked && each.n === i + 1)));
    demand(follows, "asked", "not the next line of its submission");
    const before = n > 1 ? since.at(-1).maker : row.orders ? "wait" : "now";
    const message = T("echtra-move-v1", this.header.match, seat, asked, this.hashes[asked], n, before, signed);
    demand(await signedBy(this.keys.get(key), signature, message), "signature", "not signed so");
  }

  follow(line, at) {
    const [verb, ...words] = line.split(" ");
    const seat = number(words[0] ?? "") ?? Infinity;
    const place = this.places[seat];
    const scores = words.slice(1);
    const rules = {
      timeout: () => words.length === 2 && place && number(words[1]) !== null && number(words[1]) + 60000 <= at,
      bot: () => words.length === 2 && place && FORMS.name.test(words[1]),
      seat: () => words.length === 3 && place && FORMS.id.test(words[1]) && isKeys(words[2]),
      keys: () => words.length === 2 && place && place.bot === "" && isKeys(words[1]),
      pause: () => words.length === 1 && FORMS.why.test(words[0]) && !this.paused,
      resume: () => words.length === 0 && this.paused,
      end: () => words.length > 0 && FORMS.why.test(words[0]) && [0, this.places.length].includes(scores.length) &&
        scores.every((score) => FORMS.score.test(score)),
    };
    demand(Object.hasOwn(rules, verb) && rules[verb](), "house", `${line} cannot be a line of the house here`);
    if (verb === "bot") this.places[seat] = { player: "", bot: words[1], keys: "-" };
    if (verb === "seat") this.places[seat] = { player: words[1], bot: "", keys: words[2] };
    if (verb === "bot" || verb === "seat") this.proved[seat] = new Set(ids(this.places[seat].keys));
    if (verb === "keys") place.keys = words[1];
    if (verb === "seat" || verb === "keys") this.name(ids(words.at(-1)), this.line);
    if (verb === "pause" || verb === "resume") this.paused = verb === "pause";
    if (verb === "end") this.ended = true;
  }

  async vouch(row, message) {
    let x = this.keys.get(row.server);
    if (this.serverKeys) {
      const known = this.serverKeys.find((each) => each.kid === row.server && sound(each.x) &&
        Date.parse(each.from) <= row.at && row.at <= (each.until === null ? Infinity : Date.parse(each.until)));
      x = known && (await thumbprint(known.x)) === row.server ? known.x : undefined;
    }
    demand(x !== undefined, "server", "not a key of the server, or not in use then");
    demand(await signedBy(x, row.signature, message), "signature", "the server has not signed this");
  }

  async onReceipt(row) {
    const rank = ({ seq, at, signature }) => [seq, at, signature];
    const last = this.receipts.at(-1);
    demand(!last || ascends(rank(last), rank(row)), "order", "receipts ascend by seq, at, signature");
    await this.checkReceipt(row);
    this.name([row.server], this.line);
    this.receipts.push(row);
  }

  async checkReceipt(row) {
    const fine = row.match === this.header.match && row.seq < this.hashes.length && row.hash === this.hashes[row.seq];
    demand(fine, "receipt", "of other entries");
    demand(row.at >= (this.entries[row.seq - 1]?.at ?? this.header.started), "time", "the receipt is too early");
    await this.vouch(row, T("echtra-receipt-v1", row.match, row.seq, row.hash, row.at, row.signatures));
  }

  async checkJoin(row) {
    const { match, seed, created, started, places } = this.header;
    checkFields(row, FIELDS.join);
    const place = places[row.seat];
    const same = row.match === match && row.seed === seed && place && !place.bot && row.player === place.player &&
      row.nonce === place.nonce && row.keys === place.keys && created <= row.at && row.at <= started;
    demand(same, "join", "the header contradicts the join receipt");
    await this.vouch(row, T("echtra-join-v1", match, row.seat, row.player, seed, row.nonce, row.keys, row.at));
  }

  async onHead(row, before) {
    const { viewer } = row;
    demand(this.seed !== null || !this.ended, "seed", "missing after the end");
    const last = row.match === this.header.match && row.seq === this.entries.length && row.hash === this.hashes.at(-1);
    demand(last, "head", "of other entries");
    demand((await H(before)) === row.lines, "head", "of other lines");
    const sealed = this.entries.some((entry) => !entry.open);
    const fine = viewer === "all" ? !sealed : this.seed === null &&
      (viewer === "-" ? this.receipts.length === 0 : Number(viewer) < this.places.length);
    demand(fine, "head", "the viewer does not go with what is shown");
    const times = [this.entries.at(-1)?.at ?? this.header.started, ...this.receipts.map((each) => each.at)];
    demand(times.every((at) => at <= row.at), "time", "the head is too early");
    await this.vouch(row, T("echtra-head-v1", row.match, row.seq, row.hash, row.at, viewer, row.lines));
    this.name([row.server], this.line);
    this.head = row;
  }

  async onSeed(row) {
    this.seed = unhex(row.seed);
    demand((await H(this.seed)) === this.header.seed, "seed", "not the header's");
    for (const { open, seq, salt } of this.entries) {
      demand(open, "seed", "redacted though the match is over", this.lineOf(seq));
      const given = hex((await M(this.seed, "salt", this.header.match, seq)).slice(0, 16));
      demand(given === salt, "salt", "the seed gives another salt", this.lineOf(seq));
    }
  }

  checkNamed() {
    [...this.keys.keys()].forEach((id, i) => demand(this.named.has(id), "key", "named nowhere", i + 2));
    for (const [id, line] of this.named) demand(this.keys.has(id), "key", "named here and not shown", line);
  }
}
