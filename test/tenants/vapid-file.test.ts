import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { vapidText, writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair, isVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";

const pair = generateVapidPair();
const other = generateVapidPair();
const file = writeVapidFile(pair);

/** Parses the text: returns the pair, or the messages of the faults. */
function read(text: unknown) {
  const { success, data, error } = vapidText.safeParse(text);
  return success ? data : error.issues.map(({ message }) => message);
}

/** Generates a key pair as KeyObjects, for export as PEM. */
function ecKey(namedCurve = "P-256"): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve });
}

/** Returns the pair of a private key, from its JWK. */
function pairOf(key: KeyObject) {
  const { x, y, d } = key.export({ format: "jwk" });
  const [left, right, privateKey] = [x, y, d].map((text) => Buffer.from(text!, "base64url"));
  return { publicKey: Buffer.concat([Buffer.of(4), left!, right!]), privateKey };
}

test("reads and writes the format of web-push", () => {
  expect(file.publicKey).toMatch(/^B[\w-]{86}$/);
  expect(file.privateKey).toMatch(/^[\w-]{43}$/);
  expect(read(JSON.stringify(file))).toEqual(pair);
  expect(read(`\ufeff${JSON.stringify(file, null, 2)}\r\n`)).toEqual(pair);
});

test("ignores other members, padding and the variant of base64", () => {
  const [publicKey, privateKey] = [pair.publicKey.toString("base64"), ` ${pair.privateKey.toString("base64")}\n`];
  expect(read(JSON.stringify({ subject: "mailto:desk@news.example", publicKey, privateKey }))).toEqual(pair);
});

test("reads a private key as PEM, in PKCS#8 and SEC 1, also after openssl's parameters", () => {
  const { privateKey } = ecKey();
  const expected = pairOf(privateKey);
  const sec1 = privateKey.export({ format: "pem", type: "sec1" });
  expect(read(privateKey.export({ format: "pem", type: "pkcs8" }))).toEqual(expected);
  expect(read(sec1)).toEqual(expected);
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  expect(read(`${parameters}${sec1}`)).toEqual(expected);
});

const noPair = [
  'must be {"publicKey","privateKey"} in JSON, 65 and 32 bytes as base64url, or a private key on P-256 as PEM',
];

test.each([
  ["nothing", ""],
  ["no JSON", "public: B…"],
  ["a list", "[]"],
  ["half a pair", JSON.stringify({ publicKey: file.publicKey })],
  ["a key that is too short", JSON.stringify({ ...file, privateKey: file.privateKey.slice(4) })],
  ["a compressed point", JSON.stringify({ ...file, publicKey: file.publicKey.slice(0, 44) })],
  ["invalid base64", JSON.stringify({ ...file, privateKey: "ä".repeat(43) })],
])("refuses %s, and names the accepted formats", (_, text) => {
  expect(read(text)).toEqual(noPair);
});

const mismatch = ["must have a public key that belongs to its private key"];

test("refuses keys that do not belong together", () => {
  expect(read(JSON.stringify({ ...file, publicKey: writeVapidFile(other).publicKey }))).toEqual(mismatch);
  const zero = Buffer.alloc(32).toString("base64url");
  expect(read(JSON.stringify({ ...file, privateKey: zero }))).toEqual(mismatch);
  const above = Buffer.alloc(32, 0xff).toString("base64url");
  expect(read(JSON.stringify({ ...file, privateKey: above }))).toEqual(mismatch);
});

test("refuses a PEM file whose public key is not that of its private key", () => {
  const { privateKey } = ecKey();
  const der = privateKey.export({ format: "der", type: "sec1" });
  // The point is the end of the file.
  other.publicKey.copy(der, der.length - other.publicKey.length);
  expect(read(`-----BEGIN EC PRIVATE KEY-----\n${der.toString("base64")}\n-----END EC PRIVATE KEY-----\n`)).toEqual(
    mismatch,
  );
});

const noKey = ["must be a private key on the curve P-256 (prime256v1), without a passphrase"];

test("refuses a PEM file with a wrong curve or kind, a passphrase, or no private key", () => {
  const { privateKey, publicKey } = ecKey();
  const refused = [
    ecKey("P-384").privateKey.export({ format: "pem", type: "pkcs8" }),
    ecKey("secp256k1").privateKey.export({ format: "pem", type: "pkcs8" }),
    generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }),
    privateKey.export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "secret" }),
    publicKey.export({ format: "pem", type: "spki" }),
    "-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n",
  ];
  for (const text of refused) expect(read(text)).toEqual(noKey);
});

test("refuses what is not a string, and generates pairs that belong together", () => {
  expect(read({ ...file })).toEqual(["must be a string"]);
  expect(read(undefined)).toEqual(["is required"]);
  expect(isVapidPair(generateVapidPair())).toBe(true);
  expect(isVapidPair({ ...pair, publicKey: other.publicKey })).toBe(false);
});
