// Tickets on the device: blind signatures by the vectors of their RFCs, what is refused, and codes as they are typed.

import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { blind, unblind } from "../../static/tickets/blind.js";
import { codeProblem, completeTicket, drawTicket, formatCode, normalizeCode } from "../../static/tickets/ticket.js";
import { decodeBase64url, encodeBase64url, isTicket, joinBytes, parseKey, tokenInput, verify } from "../../static/tickets/token.js";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url)));
const hex = (text) => Uint8Array.from(text.replace(/^0x/, "").match(/../g) ?? [], (pair) => parseInt(pair, 16));
const big = (some) => BigInt(`0x${Buffer.from(some).toString("hex")}`);

// The signer's half, for these tests only: neither blinded nor checked, and as slow as can be.
function sign(blinded, d, n) {
  let [result, base, rest] = [1n, big(blinded), big(d)];
  for (; rest > 0n; rest >>= 1n, base = (base * base) % big(n)) {
    result = rest & 1n ? (result * base) % big(n) : result;
  }
  return hex(result.toString(16).padStart(2 * n.length, "0"));
}

// RFC 9474, appendix A: its four variants. Two put a random prefix before the message, which is part of what is given
// here, and two have no salt. Their key has 4096 bits.
test("the vectors of RFC 9474", async () => {
  for (const vector of vectors("rfc9474")) {
    const [message, n, salt] = [vector.input_msg, vector.n, vector.salt].map(hex);
    const { blinded, back } = await blind(message, n, salt, invertedBy(big(hex(vector.inv)), big(n)));
    assert.equal(n.length, 512);
    assert.deepEqual([blinded, back], [hex(vector.blinded_msg), hex(vector.inv)]);
    assert.deepEqual(await unblind(message, hex(vector.blind_sig), n, back, salt.length), hex(vector.sig));
  }
});

function invertedBy(value, modulus) {
  let [a, b, x, y] = [modulus, value, 0n, 1n];
  while (b) {
    [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

// RFC 9578, appendix B.2, as the tests of github.com/cloudflare/pat-go have it.
test("the vectors of RFC 9578, type 2", async () => {
  for (const vector of vectors("rfc9578")) {
    const [spki, nonce] = [hex(vector.pkS), hex(vector.nonce)];
    const n = spki.subarray(81, 81 + 256);
    const message = await tokenInput(hex(vector.token_challenge), nonce, n);
    const token = hex(vector.token);
    assert.deepEqual(message, token.subarray(0, 98));
    const { blinded, back } = await blind(message, n, hex(vector.salt), big(hex(vector.blind)));
    assert.deepEqual(blinded, hex(vector.token_request).subarray(-256));
    assert.deepEqual(await unblind(message, hex(vector.token_response), n, back), token.subarray(98));
  }
});

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = publicKey.export({ format: "jwk" }).n;
const SECRET = decodeBase64url(createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" })).export({ format: "jwk" }).d);
const answer = (drawn) => encodeBase64url(sign(decodeBase64url(drawn.blinded), SECRET, decodeBase64url(KEY)));

test("a ticket is drawn, signed unseen, completed and known as one of its survey and key only", async () => {
  const drawn = await drawTicket("abcdefghjkmn", KEY);
  assert.deepEqual([drawn.blinded.length, drawn.nonce.length, drawn.back.length], [342, 43, 342]);
  const ticket = await completeTicket("abcdefghjkmn", KEY, drawn, answer(drawn));
  assert.match(ticket, /^[\w-]{384}$/);
  assert.equal(await isTicket("abcdefghjkmn", KEY, ticket), true);
  assert.equal(await isTicket("abcdefghjkmp", KEY, ticket), false); // another survey
  assert.equal(await isTicket("abcdefghjkmn", other(), ticket), false); // another key
  assert.equal(await isTicket("abcdefghjkmn", KEY, ticket.replace(/^./, (one) => (one === "A" ? "B" : "A"))), false);
  for (const text of ["", "A".repeat(384), ticket.slice(1), `${ticket}A`, ticket.replace(/.$/, "!")]) {
    assert.equal(await isTicket("abcdefghjkmn", KEY, text), false, text.slice(0, 8));
  }
});

const other = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" }).n;

test("the same ticket to be, asked for again, is the same message; another is another", async () => {
  const [first, second] = [await drawTicket("abcdefghjkmn", KEY), await drawTicket("abcdefghjkmn", KEY)];
  assert.notEqual(first.blinded, second.blinded);
  assert.notEqual(first.nonce, second.nonce);
  const tickets = [await completeTicket("abcdefghjkmn", KEY, first, answer(first)), await completeTicket("abcdefghjkmn", KEY, first, answer(first))];
  assert.equal(tickets[0], tickets[1]);
});

test("a wrong signature makes no ticket", async () => {
  const drawn = await drawTicket("abcdefghjkmn", KEY);
  const right = answer(drawn);
  const bad = decodeBase64url(right);
  bad[200] ^= 1;
  const large = encodeBase64url(Uint8Array.from({ length: 256 }, () => 255)); // not below n
  for (const signed of [encodeBase64url(bad), answer(await drawTicket("abcdefghjkmn", KEY)), large, encodeBase64url(new Uint8Array(256)), "", right.slice(4)]) {
    await assert.rejects(completeTicket("abcdefghjkmn", KEY, drawn, signed), RangeError);
  }
});

test("malformed keys are refused before anything is drawn", async () => {
  const n = decodeBase64url(KEY);
  const even = Uint8Array.from(n, (byte, place) => (place === 255 ? byte & 254 : byte));
  const short = Uint8Array.from(n, (byte, place) => (place === 0 ? byte & 127 : byte));
  for (const key of ["", "!", encodeBase64url(even), encodeBase64url(short), encodeBase64url(n.subarray(1)), encodeBase64url(joinBytes(Uint8Array.of(1), n))]) {
    assert.throws(() => parseKey(key), RangeError);
    await assert.rejects(drawTicket("abcdefghjkmn", key), RangeError);
  }
});

test("with a key of small factors the device throws, and never draws again", async () => {
  // An odd multiple of three with 2048 bits: about one in three encoded messages shares that divisor with it.
  const small = hex((3n ** 1292n | 1n).toString(16).padStart(512, "0").slice(-512));
  small[0] |= 128;
  const threes = big(small) - (big(small) % 3n);
  const n = hex((threes % 2n === 0n ? threes + 3n : threes).toString(16));
  let thrown = 0;
  for (let tries = 0; tries < 40; tries += 1) {
    const salt = new Uint8Array(48).fill(tries);
    const { blinded } = await blind(Uint8Array.of(1), n, salt, 2n).catch((error) => (assert.ok(error instanceof RangeError), {}));
    thrown += blinded ? 0 : 1;
    assert.ok(!blinded || big(blinded) % 3n !== 0n); // what leaves never shows the shared divisor
  }
  assert.ok(thrown > 3 && thrown < 30, String(thrown));
  await assert.rejects(blind(Uint8Array.of(1), decodeBase64url(KEY), new Uint8Array(48), 0n), RangeError);
});

test("the browser's own RSA-PSS decides, not the arithmetic beside it", async () => {
  const n = decodeBase64url(KEY);
  assert.equal(await verify(Uint8Array.of(1), new Uint8Array(256), n), false);
});

test("bytes are written in one way only", () => {
  assert.deepEqual(decodeBase64url(encodeBase64url(Uint8Array.of(0, 255, 62, 63))), Uint8Array.of(0, 255, 62, 63));
  for (const text of ["A", "AB", "AA==", "A+8", "A/8", "A 8", "é"]) {
    assert.throws(() => decodeBase64url(text), RangeError, text);
  }
});

const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

// A code with its last letter, made from fifteen.
function code(fifteen) {
  return [...ALPHABET].map((last) => fifteen + last).find((whole) => codeProblem(whole) === null);
}

test("every wrong letter and every two neighbours in each other's place are named at once", () => {
  const right = code("k7m2xw9dph4tqaz");
  for (let place = 0; place < 16; place += 1) {
    for (const letter of ALPHABET) {
      const typed = right.slice(0, place) + letter + right.slice(place + 1);
      assert.equal(codeProblem(typed), typed === right ? null : "check");
    }
  }
  for (let place = 0; place < 15; place += 1) {
    const swapped = right.slice(0, place) + right[place + 1] + right[place] + right.slice(place + 2);
    assert.equal(codeProblem(swapped), swapped === right ? null : "check");
  }
});

test("a code is read as people type it, and what it lacks is named", () => {
  const right = code("k7m2xw9dph4tqaz");
  const typed = right.toUpperCase().match(/..../g).join(" – ");
  assert.equal(normalizeCode(`  ${typed}\n`), right);
  assert.equal(normalizeCode(formatCode(right)), right);
  assert.match(formatCode(right), /^....-....-....-....$/);
  assert.equal(formatCode(""), "");
  assert.equal(codeProblem(right.slice(1)), "length");
  assert.equal(codeProblem(`${right}a`), "length");
  assert.equal(codeProblem(""), "length");
  assert.equal(codeProblem(right.replace(/^./, "l")), "letter"); // l, o, i, 0 and 1 are in no code
});
