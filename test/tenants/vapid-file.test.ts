import { createPrivateKey, createPublicKey, ECDH, generateKeyPairSync, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { faultsOf } from "../../src/input.ts";
import { vapidText, writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair, isVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";

const pair = generateVapidPair();
const other = generateVapidPair();
const file = writeVapidFile(pair);

/** Parses the text. Returns the pair, or the messages of the faults. */
function read(text: unknown) {
  const { success, data, error } = vapidText.safeParse(text);
  return success ? data : faultsOf(error).map(({ message }) => message);
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

type Pair = { publicKey: Buffer; privateKey: Buffer };

function publicJwkOf({ publicKey }: Pair) {
  const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)].map((part) => part.toString("base64url"));
  return { kty: "EC", crv: "P-256", x, y };
}

function jwkOf(of: Pair) {
  return { ...publicJwkOf(of), d: of.privateKey.toString("base64url") };
}

/** Generates pairs until the private key begins as `isWanted` requires: with zero bytes, or with a set bit. */
function pairThatBegins(isWanted: (privateKey: Buffer) => boolean): Pair {
  for (;;) {
    const found = generateVapidPair();
    if (isWanted(found.privateKey)) return found;
  }
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const withZero = (bytes: Buffer) => Buffer.concat([Buffer.alloc(1), bytes]);
const stripped = pairThatBegins((key) => key[0] === 0);
const signed = pairThatBegins((key) => key[0]! >= 0x80);

function der(of: Pair, type: "pkcs8" | "sec1"): Buffer {
  return createPrivateKey({ key: jwkOf(of), format: "jwk" }).export({ format: "der", type });
}
const pem = (of: Pair, type: "pkcs8" | "sec1") =>
  createPrivateKey({ key: jwkOf(of), format: "jwk" })
    .export({ format: "pem", type })
    .toString();
const spkiDer = (of: Pair) =>
  createPublicKey({ key: publicJwkOf(of), format: "jwk" }).export({ format: "der", type: "spki" });
const spkiPem = (of: Pair) =>
  createPublicKey({ key: publicJwkOf(of), format: "jwk" })
    .export({ format: "pem", type: "spki" })
    .toString();
const compressed = (of: Pair) =>
  ECDH.convertKey(of.publicKey, "prime256v1", undefined, "base64url", "compressed") as string;

test("reads a private key without its first zero byte, as it was found in the field", () => {
  const found = {
    publicKey: "BAOaTQrMr7-31JsftOiLqLnDCX5uI9AOvVNa2nk7Ikh9S7kCPiVDZW2w7I1CszDbDhJP3NHSBJ8_dT7CxKiUES8",
    privateKey: "eK_Iaa2uJBCYmEGkrMNdPuL6_Z3DPPSszeoMMNfZ1w",
  };
  const privateKey = withZero(Buffer.from(found.privateKey, "base64url"));
  expect(read(JSON.stringify(found))).toEqual({ publicKey: Buffer.from(found.publicKey, "base64url"), privateKey });
});

const json = (of: Pair, more: object) => JSON.stringify({ publicKey: base64url(of.publicKey), ...more });

test.each<[form: string, of: Pair, text: string]>([
  ["31 bytes", stripped, json(stripped, { privateKey: base64url(stripped.privateKey.subarray(1)) })],
  [
    "31 bytes with padding",
    stripped,
    json(stripped, { privateKey: stripped.privateKey.subarray(1).toString("base64") }),
  ],
  ["33 bytes", signed, json(signed, { privateKey: base64url(withZero(signed.privateKey)) })],
  ["33 bytes of base64", signed, json(signed, { privateKey: withZero(signed.privateKey).toString("base64") })],
  ["lines of base64", pair, json(pair, { privateKey: pair.privateKey.toString("base64").replace(/.{20}/g, "$&\n") })],
  ["PKCS#8 in base64url", pair, JSON.stringify({ privateKey: base64url(der(pair, "pkcs8")) })],
  ["SEC 1 in base64", pair, JSON.stringify({ privateKey: der(pair, "sec1").toString("base64") })],
  ["PEM in JSON", pair, JSON.stringify({ privateKey: pem(pair, "pkcs8"), publicKey: spkiPem(pair) })],
  ["PEM in JSON, alone", pair, JSON.stringify({ private_key: pem(pair, "sec1") })],
  ["PEM with a public key before it", pair, spkiPem(pair) + pem(pair, "pkcs8")],
  ["PEM with a public key behind it", pair, pem(pair, "sec1") + spkiPem(pair)],
  ["PEM with CR LF", pair, pem(pair, "pkcs8").replaceAll("\n", "\r\n")],
  ["PEM on one line", pair, pem(pair, "pkcs8").replaceAll("\n", "")],
  ["PEM with written line breaks", pair, `KEY="${pem(pair, "pkcs8").replaceAll("\n", "\\n")}"`],
  ["PEM that is indented", pair, pem(pair, "sec1").replace(/^/gm, "    ")],
  ["PEM of a stripped key", stripped, pem(stripped, "sec1")],
  ["a JWK", pair, JSON.stringify(jwkOf(pair))],
  ["a JWK of WebCrypto", pair, JSON.stringify({ ...jwkOf(pair), ext: true, key_ops: ["sign"], alg: "ES256" })],
  ["a JWK with padding", pair, JSON.stringify({ ...jwkOf(pair), d: pair.privateKey.toString("base64") })],
  ["a stripped JWK", stripped, JSON.stringify({ ...jwkOf(stripped), d: base64url(stripped.privateKey.subarray(1)) })],
  ["a JWK of 33 bytes", signed, JSON.stringify({ ...jwkOf(signed), d: base64url(withZero(signed.privateKey)) })],
  ["a set of one JWK", pair, JSON.stringify({ keys: [jwkOf(pair)] })],
  ["two JWKs by name", pair, JSON.stringify({ publicKey: publicJwkOf(pair), privateKey: jwkOf(pair) })],
  ["a JWK beside the point", pair, json(pair, { privateKey: jwkOf(pair) })],
  ["other names", pair, JSON.stringify({ public_key: file.publicKey, private_key: file.privateKey })],
  ["names in capitals", pair, JSON.stringify({ PublicKey: file.publicKey, PrivateKey: file.privateKey, Subject: "x" })],
  ["an SPKI beside it", pair, JSON.stringify({ ...file, publicKey: base64url(spkiDer(pair)) })],
  [
    "a point without its first byte",
    pair,
    JSON.stringify({ ...file, publicKey: base64url(pair.publicKey.subarray(1)) }),
  ],
  ["a compressed point", pair, JSON.stringify({ ...file, publicKey: compressed(pair) })],
  ["settings", pair, `VAPID_PUBLIC_KEY=${file.publicKey}\nVAPID_PRIVATE_KEY="${file.privateKey}"\n`],
  ["YAML", pair, `vapid:\n  public_key: ${file.publicKey}\n  private_key: '${file.privateKey}'\n`],
  [
    "what web-push prints",
    pair,
    `====\n\nPublic Key:\n${file.publicKey}\n\nPrivate Key:\n${file.privateKey}\n\n====\n`,
  ],
])("reads a pair as other tools write it: %s", (_, of, text) => {
  expect(read(text)).toEqual(of);
});

const noPair = [
  'must be {"publicKey","privateKey"} in JSON, as base64url or JWK, or a private key on P-256 as JWK or PEM',
];

test.each([
  ["nothing", ""],
  ["no JSON", "public: B…"],
  ["a list", "[]"],
  ["half a pair", JSON.stringify({ publicKey: file.publicKey })],
  ["a private key of 33 bytes that begin with no zero", JSON.stringify({ ...file, privateKey: "A_".repeat(22) })],
  ["an empty private key", JSON.stringify({ ...file, privateKey: "" })],
  ["a public key as private one", JSON.stringify({ ...file, privateKey: publicJwkOf(pair) })],
  ["a JWK of a public key", JSON.stringify(publicJwkOf(pair))],
  ["two JWKs", JSON.stringify({ keys: [jwkOf(pair), jwkOf(other)] })],
  ["a private key without the public one", JSON.stringify({ privateKey: file.privateKey })],
  ["two private keys by name", JSON.stringify({ ...file, otherPrivateKey: file.privateKey })],
  ["a line without the public key", `VAPID_PRIVATE_KEY=${file.privateKey}`],
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
  expect(read(JSON.stringify({ ...file, privateKey: file.privateKey.slice(4) }))).toEqual(mismatch);
  expect(read(JSON.stringify({ ...jwkOf(pair), d: writeVapidFile(other).privateKey }))).toEqual(mismatch);
  expect(read(JSON.stringify({ publicKey: publicJwkOf(other), privateKey: jwkOf(pair) }))).toEqual(mismatch);
  expect(read(JSON.stringify({ privateKey: pem(pair, "pkcs8"), publicKey: spkiPem(other) }))).toEqual(mismatch);
});

test("refuses a PEM file whose public key is not that of its private key", () => {
  const { privateKey } = ecKey();
  const der = privateKey.export({ format: "der", type: "sec1" });
  // The public key is at the end of the file.
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
  const sec1WithPassphrase = privateKey.export({ format: "pem", type: "sec1", cipher: "aes-256-cbc", passphrase: "x" });
  expect(read(sec1WithPassphrase)).toEqual(noKey);
  const jwks = [
    ecKey("P-384").privateKey.export({ format: "jwk" }),
    { ...jwkOf(pair), x: "AA" },
    { kty: "EC", d: "AA" },
  ];
  for (const jwk of jwks) expect(read(JSON.stringify(jwk))).toEqual(noKey);
});

test("refuses what is not a string, and generates pairs that belong together", () => {
  expect(read({ ...file })).toEqual(["must be a string"]);
  expect(read(undefined)).toEqual(["is required"]);
  expect(isVapidPair(generateVapidPair())).toBe(true);
  expect(isVapidPair({ ...pair, publicKey: other.publicKey })).toBe(false);
});
