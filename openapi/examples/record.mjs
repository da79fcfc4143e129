// The parts of a record that docs/RECORD.md describes: hashing, canonical JSON, fields, keys, picks, the header.
// Plain JavaScript, WebCrypto, no dependency; verify.mjs uses it to check a whole record.

const subtle = globalThis.crypto.subtle;
const ascii = new TextEncoder();

// --- small parts ------------------------------------------------------------------------------------------------

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const T = (...parts) => ascii.encode(parts.map((part) => `${part}\n`).join(""));
export const H = async (bytes) => hex(new Uint8Array(await subtle.digest("SHA-256", bytes)));
const imported = new WeakMap();
export async function M(key, ...parts) {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  if (!imported.has(key)) imported.set(key, await subtle.importKey("raw", key, hmac, false, ["sign"]));
  return new Uint8Array(await subtle.sign("HMAC", imported.get(key), T(...parts)));
}

const LIMIT = Number.MAX_SAFE_INTEGER;
export const FORMS = {
  hash: /^[0-9a-f]{64}$/, salt: /^[0-9a-f]{32}$/, signature: /^[0-9a-f]{128}$/, id: /^[a-z0-9]{12,32}$/,
  name: /^[a-z][a-z0-9-]{0,31}$/, option: /^[a-z][a-z0-9_-]{0,31}$/, nonce: /^(-|[0-9a-f]{1,64})$/,
  key: /^[A-Za-z0-9_-]{43}$/, beacon: /^(-|[a-z0-9-]{1,32}:(0|[1-9][0-9]*):[0-9a-f]{32,128})$/,
  why: /^[a-z]+(-[a-z]+)*$/, score: /^(0|-?[1-9][0-9]{0,8})$/, viewer: /^(-|all|0|[1-9][0-9]?)$/,
  by: /^(chance|house|bot [a-z][a-z0-9-]{0,31}|(signed|mail) [0-9a-f]{64})$/, printable: /^[\x20-\x7e]*$/,
  line: /^[A-Za-z0-9+:|,_-]+( [A-Za-z0-9+:|,_-]+)*$/, shown: /^[A-Za-z0-9+:|,_?-]+( [A-Za-z0-9+:|,_?-]+)*$/,
};
const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;
export const number = (word) => (/^(0|[1-9][0-9]{0,15})$/.test(word) && Number(word) <= LIMIT ? Number(word) : null);
const barred = (text) => text.split(" ").includes("|");
export const isLine = (text) => text.length <= 400 && FORMS.line.test(text) && !barred(text);
export const isShown = (text) => text.length <= 400 && FORMS.shown.test(text) && text.includes("?") && !barred(text);
const isBeacon = (text) => FORMS.beacon.test(text) && (text === "-" || number(text.split(":")[1]) !== null);
export const ids = (keys) => (keys === "-" ? [] : keys.split(","));
export function isKeys(text) {
  const found = ids(text);
  return found.length <= 8 && found.every((id, i) => FORMS.key.test(id) && (i === 0 || found[i - 1] < id));
}

/** Returns true if a line matches a redacted form, where each `?` is one or more characters. */
export function fits(shown, line) {
  const literals = shown.split("?");
  if (literals.length === 1) return shown === line;
  const last = literals.pop();
  if (!line.startsWith(literals[0])) return false;
  let at = literals[0].length;
  for (const literal of literals.slice(1)) {
    const found = line.indexOf(literal, at + 1);
    if (found < 0 || at + 1 > line.length) return false;
    at = found + literal.length;
  }
  return line.endsWith(last) && line.length - last.length > at;
}

export class Fault extends Error {
  constructor(reason, detail, line = 0) {
    super(`line ${line}: ${reason}: ${detail}`);
    Object.assign(this, { reason, detail, line });
  }
}
export function demand(fine, reason, detail, line) {
  if (!fine) throw new Fault(reason, detail, line);
}

// --- JSON, exactly as RFC 8785 writes it ------------------------------------------------------------------------

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  if (typeof value === "string" && /[^\x00-\x7f]/.test(value)) throw new Error("not ASCII");
  return JSON.stringify(value);
}

export function parse(text) {
  demand(text.length <= 65536 && text !== "" && FORMS.printable.test(text), "bytes", "too long, empty or not ASCII");
  let value, same;
  try {
    value = JSON.parse(text);
    same = canonical(value) === text;
  } catch {
    same = false;
  }
  demand(same, "bytes", "not JSON as RFC 8785 writes it");
  demand(value !== null && typeof value === "object" && !Array.isArray(value), "fields", "a line holds one object");
  return value;
}

// --- fields -----------------------------------------------------------------------------------------------------

const of = (form) => (value) => typeof value === "string" && FORMS[form].test(value);
export const text = (value) => typeof value === "string";
const is = (...values) => (value) => values.includes(value);
const object = (fields) => (value) => value !== null && typeof value === "object" && misfit(value, fields) === "";
const COMMON = {
  type: is("entry"), seq: isNumber, seat: Number.isSafeInteger, at: isNumber, by: of("by"), commit: of("hash"),
  hash: of("hash"),
};
const OPEN = { ...COMMON, line: text, salt: of("salt") };
const MAIL = { door: is("smtp", "imap"), raw: of("hash"), received: isNumber, verdict: is("pass", "fail", "none") };
const SERVER = { at: isNumber, match: of("id"), server: of("key"), signature: of("signature") };
export const FIELDS = {
  header: { type: is("header"), hash: of("hash"), lines: (rows) => Array.isArray(rows) && rows.every(text) },
  key: { type: is("key"), id: of("key"), jwk: object({ crv: is("Ed25519"), kty: is("OKP"), x: text }) },
  receipt: { ...SERVER, type: is("receipt"), hash: of("hash"), seq: isNumber, signatures: of("hash") },
  seed: { type: is("seed"), seed: of("hash") },
  head: { ...SERVER, type: is("head"), hash: of("hash"), lines: of("hash"), seq: isNumber, viewer: of("viewer") },
  join: { ...SERVER, type: is("join"), keys: isKeys, nonce: of("nonce"), player: of("id"), seat: isNumber, seed: of("hash") },
};
const SIGNED = { ...OPEN, asked: isNumber, n: isNumber, key: of("key"), signature: of("signature") };
const ENTRY = { chance: OPEN, house: OPEN, bot: OPEN, signed: SIGNED, mail: { ...OPEN, mail: object(MAIL) } };

function misfit(row, fields, optional = {}) {
  const missing = Object.keys(fields).find((name) => !Object.hasOwn(row, name));
  if (missing !== undefined) return `the field ${missing} is missing`;
  const form = (name) => [fields, optional].find((each) => Object.hasOwn(each, name))?.[name];
  const wrong = Object.keys(row).find((name) => !form(name)?.(row[name]));
  return wrong === undefined ? "" : `the field ${wrong} is unknown here or not of its form`;
}

export function checkFields(row, fields, optional) {
  const wrong = misfit(row, fields, optional);
  demand(wrong === "", "fields", wrong);
}

export function checkEntryFields(row) {
  const kind = text(row.by) ? row.by.split(" ")[0] : "";
  demand(Object.hasOwn(ENTRY, kind), "fields", "the field by is missing or not of its form");
  if (Object.hasOwn(row, "shown")) return checkFields(row, { ...COMMON, shown: text });
  const first = row.n === 1 ? { orders: is(true) } : {};
  return checkFields(row, ENTRY[kind], kind === "signed" ? { ...first, text } : {});
}

// --- keys -------------------------------------------------------------------------------------------------------

const encode = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (x) => Uint8Array.from(atob(x.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
const PRIME = 2n ** 255n - 19n;
const little = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);
const SMALL = [
  0n, 1n, PRIME - 1n,
  little(unhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")),
  little(unhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
];
export const thumbprint = async (x) => encode(unhex(await H(ascii.encode(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`))));

export function sound(x) {
  if (!FORMS.key.test(x) || encode(decode(x)) !== x) return false;
  const y = little(decode(x)) & (2n ** 255n - 1n);
  return y < PRIME && !SMALL.includes(y);
}

const parsed = new Map();
export async function signedBy(x, signature, message) {
  if (!parsed.has(x)) parsed.set(x, await subtle.importKey("raw", decode(x), "Ed25519", false, ["verify"]));
  return subtle.verify("Ed25519", parsed.get(x), unhex(signature), message);
}

// --- picks ------------------------------------------------------------------------------------------------------

export const matchKey = (seed, nonces, beacon) => M(seed, "key", ...nonces, beacon);

/** Returns a function n => one of 0 to n-1 (BigInt) from the stream M(K, ...parts, i), using its values in order. */
export function stream(K, ...parts) {
  let i = 0, values = [];
  return async (n) => {
    for (;;) {
      if (values.length === 0) {
        const view = new DataView((await M(K, ...parts, i)).buffer);
        values = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
        i += 1;
      }
      const value = values.shift();
      if (value < 2n ** 64n - (2n ** 64n % BigInt(n))) return value % BigInt(n);
    }
  };
}
export const pick = (K, j, n) => stream(K, "pick", j)(n);
export const botStream = (K, seat, entries) => stream(K, "bot", seat, entries);

/** Draws a card from these, which are in canonical order; `pick(n)` returns one of 0 to n-1. */
export async function drawCard(cards, pick) {
  demand(cards.length > 0, "rules", "no card is left to draw");
  return cards.splice(await pick(cards.length), 1)[0];
}

// --- the header -------------------------------------------------------------------------------------------------

const ROWS = ["match", "game", "revision", "seats", "options", "moves", "seed", "beacon", "created", "started"];

function isOptions(row) {
  let options;
  try {
    options = parse(row);
  } catch {
    return false;
  }
  return Object.entries(options).every(([name, value]) => FORMS.option.test(name) &&
    (typeof value === "boolean" || Number.isSafeInteger(value) || (text(value) && FORMS.printable.test(value))));
}

export function readHeader(rows) {
  demand(rows[0] === "echtra-match-v1", "header", "it begins with echtra-match-v1");
  const found = {};
  ROWS.forEach((name, i) => {
    demand(rows[i + 1]?.startsWith(`${name}: `), "header", `row ${i + 1} must be ${name}`);
    found[name] = rows[i + 1].slice(name.length + 2);
  });
  for (const name of ["revision", "seats", "created", "started"]) found[name] = number(found[name]) ?? -1;
  const fine = {
    match: FORMS.id.test(found.match), game: FORMS.name.test(found.game), revision: found.revision >= 1,
    seats: found.seats >= 1 && found.seats <= 99 && rows.length === 11 + found.seats, options: isOptions(found.options),
    moves: ["signed", "any"].includes(found.moves), seed: FORMS.hash.test(found.seed), beacon: isBeacon(found.beacon),
    created: found.created >= 0, started: found.created <= found.started,
  };
  for (const name of ROWS) demand(fine[name], "header", `the row ${name} is not of its form`);
  found.places = rows.slice(11).map(readPlace);
  return found;
}

function readPlace(row, seat) {
  const [player, nonce, keys, ...more] = row.replace(`seat ${seat}: `, "").split(" ");
  const bot = player.startsWith("bot:") ? player.slice(4) : "";
  const fine = player.startsWith("bot:")
    ? FORMS.name.test(bot) && nonce === "-" && keys === "-"
    : FORMS.id.test(player) && FORMS.nonce.test(nonce ?? "") && isKeys(keys ?? "");
  demand(row.startsWith(`seat ${seat}: `) && fine && more.length === 0, "header", `the row of seat ${seat}`);
  return { player: bot ? "" : player, bot, nonce, keys };
}
