// Verifies the record of a match from docs/RECORD.md alone: plain JavaScript, WebCrypto, no dependency.
//
//   node verify.mjs [--keys echtra.json] [--kept receipts.jsonl] FILE...
//
// One line for each FILE: `FILE: good: ...` or `FILE: line N: REASON: ...`; exit status 1 if one is bad.
// In a browser: import { verify } and give it the bytes of an export. The other parts are in the same folder: record.mjs (hashes,
// JSON, fields, keys, picks, header), walk.mjs (line by line), draws.mjs, tir-na-nog.mjs and bardwood-grove.mjs (the cards the seed gives).

import { checkDraws } from "./draws.mjs";
import { FIELDS, Fault, T, checkFields, demand } from "./record.mjs";
import { Walk } from "./walk.mjs";

const latin = new TextDecoder("latin1");

/** Walks through an export; `kept` holds receipts and join receipts from elsewhere, `serverKeys` the server's list. */
export async function verify(bytes, { serverKeys = null, kept = [] } = {}) {
  const walk = new Walk(serverKeys);
  let start = 0;
  for (let end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
    await walk.take(latin.decode(bytes.subarray(start, end)), bytes.subarray(0, start));
  }
  demand(start === bytes.length, "cut", "no line end at the end", walk.line + 1);
  demand(walk.head !== null, "cut", "no head", walk.line + 1);
  walk.checkNamed();
  for (const row of kept) await checkKept(walk, row);
  const draws = await checkDraws(walk);
  const count = (kind) => walk.entries.filter((entry) => entry.kind === kind).length;
  return {
    match: walk.header.match, game: walk.header.game, viewer: walk.head.viewer, hash: walk.head.hash, draws,
    entries: walk.entries.length, redacted: walk.entries.filter((entry) => !entry.open).length,
    signed: count("signed") - walk.attested, attested: walk.attested, mail: count("mail"), bots: count("bot"), over: walk.seed !== null,
    house: walk.entries.filter((entry) => entry.kind === "house").map((entry) => entry.line),
    established: serverKeys !== null,
  };
}

async function checkKept(walk, row) {
  const line = row.type === "join" ? 1 : row.seq < walk.hashes.length ? walk.lineOf(row.seq) : walk.line;
  try {
    if (row.type === "join") return await walk.checkJoin(row);
    checkFields(row, FIELDS.receipt);
    const later = row.match === walk.header.match && row.seq >= walk.hashes.length && walk.seed === null;
    if (!later) return await walk.checkReceipt(row);
    return await walk.vouch(row, T("echtra-receipt-v1", row.match, row.seq, row.hash, row.at, row.signatures));
  } catch (error) {
    throw error instanceof Fault ? new Fault(error.reason, `kept beside: ${error.detail}`, line) : error;
  }
}

// --- the command line -------------------------------------------------------------------------------------------

function told(report) {
  const { entries, redacted, signed, attested, mail, bots, house, draws } = report;
  const devices = attested > 0 ? `${attested} by keys that only the house gave to their seats (attested, not proved), ` : "";
  const counts = `${signed} signed, ${devices}${mail} by mail (attested, not proved), ${bots} by bots, ${house.length} by the house`;
  const open = report.over ? "draws NOT checked (cards not known here)" : "draws cannot be checked before the end";
  const drawn = draws === null ? open : `${draws} draws are the seed's`;
  const server = report.established ? "server established" : "server NOT established (give --keys)";
  return `good: ${report.game} match ${report.match}, ${entries} entries, ${redacted} redacted, ${counts}; ${drawn}; ${server}`;
}

async function main(words) {
  const { readFile } = await import("node:fs/promises");
  const options = {}, files = [];
  while (words.length > 0) {
    const word = words.shift();
    if (word === "--keys") options.serverKeys = JSON.parse(await readFile(words.shift(), "utf8")).keys;
    else if (word === "--kept") options.kept = (await readFile(words.shift(), "utf8")).trim().split("\n").map((row) => JSON.parse(row));
    else files.push(word);
  }
  if (files.length === 0) throw new Error("say which record: node verify.mjs [--keys echtra.json] [--kept receipts.jsonl] FILE...");
  for (const file of files) {
    try {
      console.log(`${file}: ${told(await verify(await readFile(file), options))}`);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      console.log(`${file}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

if (globalThis.process?.argv?.[1]?.endsWith("verify.mjs")) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
}
