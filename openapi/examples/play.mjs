// One signed move of Keltis against a bot, with fetch and WebCrypto alone: Node 20 or later, or a browser.
//
//   node play.mjs http://127.0.0.1:8000 echtra_…
//
// In a browser: import { play } from './play.mjs'; await play(base, token, console.log);

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const how = (base) => `A token is needed: node play.mjs BASE TOKEN. To get one:
  POST ${base}/v1/players        {"name": "Aoife", "address": "you@example.org"}   you get an email with a code
  POST ${base}/v1/confirmations  {"code": "the code in the email"}
  POST ${base}/v1/tokens         {"address": "you@example.org"}                    another email, with six digits
  POST ${base}/v1/tokens/ID/code {"code": "six digits"}                            the answer holds the token`;

export async function play(base, token, print) {
  async function call(method, path, body, more = {}) {
    const headers = { Authorization: `Bearer ${token}`, ...more };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const answer = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return answer.headers.get('Content-Type').startsWith('application/json') ? JSON.parse(text) : text;
  }

  // 1. A key: the private half stays here, the public half is registered.
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
  const { crv, kty, x } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const key = (await call('POST', '/v1/me/keys', { jwk: { crv, kty, x }, label: 'play.mjs' })).id;
  print(`key    ${key}`);

  // 2. A match against a bot; the nonce goes into every draw.
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const made = await call('POST', '/v1/matches', { game: 'keltis', seats: 2, seat: 0, bots: { 1: 'steady' }, nonce });
  const [match, seat] = [made.id, made.you.seat];
  print(`match  ${match}`);

  // 3. The table and the legal lines, as soon as the cards are dealt.
  const until = Date.now() + 60_000;
  let open = await call('GET', `/v1/matches/${match}/options`);
  while (open.question === null) {
    if (Date.now() > until) throw new Error('Nothing was dealt within a minute: does a worker run?');
    await pause(200);
    open = await call('GET', `/v1/matches/${match}/options`);
  }
  print(await call('GET', `/v1/matches/${match}/table.txt`));
  const { asked, prev } = open.question;
  const { line, sentence } = open.items[0];
  print(`line   ${line} - ${sentence}`);

  // 4. The signature: over these eight lines, each with its line feed.
  const text = ['echtra-move-v1', match, seat, asked, prev, 1, 'now', line].map((part) => `${part}\n`).join('');
  const signature = hex(await crypto.subtle.sign('Ed25519', pair.privateKey, new TextEncoder().encode(text)));

  // 5. The move; the answer comes when chance and the bot have acted, within ten seconds.
  const body = { asked, prev, key, moves: [{ line, signature }] };
  const moved = await call('POST', `/v1/matches/${match}/moves`, body, { Prefer: 'wait=10' });
  print(`status ${moved.status}`);

  // 6. The result.
  print(await call('GET', `/v1/matches/${match}/table.txt`));
  return moved;
}

if (globalThis.process?.argv[1]?.endsWith('play.mjs')) {
  const [base = 'http://127.0.0.1:8000', token = process.env.ECHTRA_TOKEN] = process.argv.slice(2);
  try {
    if (!token) throw new Error(how(base));
    await play(base, token, console.log);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
