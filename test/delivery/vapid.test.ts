import { createECDH, createPublicKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createVapidSigner } from "../../src/delivery/crypto/vapid.ts";
import { generateVapidPair, type VapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { isVapidSubject } from "../../src/vapid-subject.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 4, 1, 12, 59, 59, 999);
const fcm = "https://fcm.googleapis.com";
const subject = "mailto:push@example.com";

describe("a key pair", () => {
  test("has a point of 65 bytes and a key of 32, also where the key begins with a zero", () => {
    for (let i = 0; i < 1_500; i++) {
      const pair = generateVapidPair();
      expect([pair.publicKey.length, pair.publicKey[0], pair.privateKey.length]).toEqual([65, 4, 32]);
    }
  });

  test("that begins with zeros signs", () => {
    const privateKey = Buffer.alloc(32);
    privateKey[31] = 5;
    const ecdh = createECDH("prime256v1");
    ecdh.setPrivateKey(privateKey);
    const pair = { privateKey, publicKey: ecdh.getPublicKey() };
    const signer = createVapidSigner({ ...pair, subject, clock: () => startMs });
    expect(readHeader(signer.authorization(fcm), pair).claims.aud).toBe(fcm);
  });

  test("whose halves do not belong together is refused", () => {
    const { publicKey } = generateVapidPair();
    const { privateKey } = generateVapidPair();
    expect(() => createVapidSigner({ publicKey, privateKey, subject, clock: () => startMs })).toThrow(RangeError);
  });
});

describe("the header", () => {
  test("has the shape of RFC 8292 and a signature that the public key confirms", () => {
    const { signer, pair } = newSigner();
    const header = signer.authorization(fcm);
    expect(header).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]{86}, k=[\w-]{87}$/);
    const { jwtHeader, claims } = readHeader(header, pair);
    expect(jwtHeader).toEqual({ typ: "JWT", alg: "ES256" });
    expect(claims).toEqual({ aud: fcm, exp: Date.UTC(2026, 4, 2, 0) / 1_000, sub: subject });
  });

  test("is signed once per origin and hour", () => {
    const { signer, pair } = newSigner();
    const first = signer.authorization(fcm);
    expect(signer.authorization(fcm)).toBe(first);
    const other = signer.authorization("https://web.push.apple.com");
    expect(readHeader(other, pair).claims.aud).toBe("https://web.push.apple.com");
    expect(signer.authorization(fcm)).toBe(first);
  });

  test("is made anew when the hour of the clock changes", () => {
    const { signer, pair, move } = newSigner();
    const first = signer.authorization(fcm);
    move(1);
    const second = signer.authorization(fcm);
    expect(readHeader(second, pair).claims.exp).toBe(readHeader(first, pair).claims.exp + 3_600);
  });

  test("is good for 1 to 24 hours whatever the clock does", () => {
    const { signer, pair, move, now } = newSigner();
    for (const stepMs of [0, 1, 59 * 60_000, hourMs, dayMs, -dayMs, -2 * dayMs, 12 * hourMs, 3 * dayMs, -hourMs]) {
      move(stepMs);
      const lifeMs = readHeader(signer.authorization(fcm), pair).claims.exp * 1_000 - now();
      expect(lifeMs).toBeGreaterThanOrEqual(hourMs);
      expect(lifeMs).toBeLessThanOrEqual(dayMs);
    }
  });
});

describe("the subject", () => {
  test.each([
    "mailto:push@example.com",
    "mailto:push+alerts@news.example.co.uk",
    "mailto:o'hara@example.com",
    "https://example.com",
    "https://www.example.com/contact?team=push",
    "https://xn--bcher-kva.example",
  ])("%s is taken", (address) => {
    expect(isVapidSubject(address)).toBe(true);
  });

  test.each([
    "",
    "push@example.com",
    "mailto:",
    "mailto:claimLoop",
    "mailto:push@localhost",
    "mailto:push@example.localhost",
    "mailto: push@example.com",
    "mailto:<push@example.com>",
    "mailto:a@b@example.com",
    "mailto:push@example.com,other@example.com",
    "mailto:push@example.com?subject=x",
    "mailto:push@192.0.2.1",
    "mailto:push@example.com\r\nx: y",
    "http://example.com",
    "https://localhost",
    "https://localhost:8080/",
    "https://192.0.2.1/",
    "https://[2001:db8::1]/",
    "https://user:word@example.com/",
    "https://",
    "https://exa mple.com",
    `https://example.com/${"a".repeat(512)}`,
  ])("%j is refused", (address) => {
    expect(isVapidSubject(address)).toBe(false);
  });

  test("that is refused makes no signer", () => {
    expect(() => newSigner("mailto:x@localhost")).toThrow(RangeError);
  });
});

function newSigner(contact = subject) {
  let nowMs = startMs;
  const pair = generateVapidPair();
  const signer = createVapidSigner({ ...pair, subject: contact, clock: () => nowMs });
  return {
    pair,
    signer,
    now: () => nowMs,
    move: (byMs: number) => {
      nowMs += byMs;
    },
  };
}

/** Reads a header as a push service does. Checks `k` and the signature, and returns the token's two parts. */
function readHeader(header: string, pair: VapidPair) {
  const [, signed, signature, key] = /^vapid t=(.+)\.([^.,]+), k=(.+)$/.exec(header)!;
  expect(key).toBe(pair.publicKey.toString("base64url"));
  const x = pair.publicKey.subarray(1, 33).toString("base64url");
  const y = pair.publicKey.subarray(33).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signatureBytes = Buffer.from(signature!, "base64url");
  expect(verify("sha256", Buffer.from(signed!), { key: publicKey, dsaEncoding: "ieee-p1363" }, signatureBytes)).toBe(
    true,
  );
  const [jwtHeader, claims] = signed!.split(".").map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  return { jwtHeader, claims: claims as { aud: string; exp: number; sub: string } };
}
