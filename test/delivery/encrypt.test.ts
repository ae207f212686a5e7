import { createECDH, type ECDH, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlainBatch } from "../../src/delivery/crypto/encrypt.ts";
import { rfc8291Example } from "../../src/delivery/crypto/rfc-8291-example.ts";
import { maxPayloadBytes } from "../../src/runs/payload.ts";
import { waysToEncrypt } from "./ways-to-encrypt.ts";

type DecryptParams = { version: "aes128gcm"; privateKey: ECDH; authSecret: string };
const ece: { decrypt(body: Buffer, params: DecryptParams): Buffer } = createRequire(import.meta.url)("http_ece");

type Browser = { keys: ECDH; publicKey: Buffer; authSecret: Buffer };

const overheadBytes = 86 + 1 + 16;
const ways = await waysToEncrypt();

describe.each(ways)("by %s: the example of RFC 8291, section 5 and appendix A", (_way, open) => {
  test("comes out bit for bit", () => {
    const { batch, fixed, body } = rfc8291Example;
    const sealed = open(fixed).encryptBatch(batch);
    expect(sealed.bodies.toString("base64url")).toBe(body.toString("base64url"));
    expect([...sealed.invalid]).toEqual([0]);
  });
});

describe.each(ways)("by %s: a batch of messages", (_way, open) => {
  test("is read by each subscriber with the keys of a browser", () => {
    const browsers = Array.from({ length: 300 }, newBrowser);
    const messages = browsers.map(() => randomBytes(300));
    const { bodies, bodyBytes, invalid } = open().encryptBatch(pack(browsers, messages));
    expect(bodyBytes).toBe(300 + overheadBytes);
    browsers.forEach((browser, i) => {
      expect(read(browser, bodyAt(bodies, bodyBytes, i)).equals(messages[i]!)).toBe(true);
    });
    expect(invalid.every((flag) => flag === 0)).toBe(true);
  });

  test("is read at each length and count that is allowed", () => {
    const encryptor = open();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxPayloadBytes }), fc.integer({ min: 0, max: 4 }), (length, count) => {
        const browsers = Array.from({ length: count }, newBrowser);
        const messages = browsers.map(() => randomBytes(length));
        const { bodies, bodyBytes } = encryptor.encryptBatch(pack(browsers, messages, length));
        expect(bodies.length).toBe(count * (length + overheadBytes));
        return browsers.every((browser, i) => read(browser, bodyAt(bodies, bodyBytes, i)).equals(messages[i]!));
      }),
      {
        numRuns: 60,
        examples: [
          [0, 1],
          [maxPayloadBytes, 1],
        ],
      },
    );
  });

  test("has a key and a salt of its own for each message, also for one subscriber", () => {
    const browser = newBrowser();
    const message = Buffer.from("once more");
    const count = 600;
    const batch = pack(Array(count).fill(browser), Array(count).fill(message));
    const { bodies, bodyBytes } = open().encryptBatch(batch);
    const salts = new Set<string>();
    const keys = new Set<string>();
    for (let i = 0; i < count; i++) {
      const body = bodyAt(bodies, bodyBytes, i);
      salts.add(body.toString("hex", 0, 16));
      keys.add(body.toString("hex", 21, 86));
    }
    expect([salts.size, keys.size]).toEqual([count, count]);
  });

  test("states a record of 4,096 bytes and a key of 65 in its header", () => {
    const { bodies } = open().encryptBatch(pack([newBrowser()], [Buffer.from("x")]));
    expect([bodies.readUInt32BE(16), bodies[20], bodies[21]]).toEqual([4_096, 65, 4]);
  });

  test("of none is an empty one", () => {
    const sealed = open().encryptBatch(pack([], [], 10));
    expect([sealed.bodies.length, sealed.invalid.length]).toEqual([0, 0]);
  });
});

describe.each(ways)("by %s: a public key that is no point", (_way, open) => {
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]);
  const key = createECDH("prime256v1");
  key.generateKeys();
  const compressedTail = Buffer.concat([key.getPublicKey(null, "compressed"), Buffer.alloc(32)]);
  const hybrid = key.getPublicKey(null, "hybrid");
  const overPrime = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 0xff)]);

  test.each([
    ["off the curve", offCurve],
    ["of zeros", Buffer.alloc(65)],
    ["compressed", compressedTail],
    ["in the hybrid form", hybrid],
    ["beyond the prime", overPrime],
  ])("%s is reported, its body is zeros, and its neighbours are read", (_name, publicKey) => {
    const browsers = [newBrowser(), { ...newBrowser(), publicKey }, newBrowser()];
    const messages = browsers.map(() => randomBytes(50));
    const { bodies, bodyBytes, invalid } = open().encryptBatch(pack(browsers, messages));
    expect([...invalid]).toEqual([0, 1, 0]);
    expect(bodyAt(bodies, bodyBytes, 1).equals(Buffer.alloc(bodyBytes))).toBe(true);
    for (const i of [0, 2]) {
      expect(read(browsers[i]!, bodyAt(bodies, bodyBytes, i)).equals(messages[i]!)).toBe(true);
    }
  });
});

describe.each(ways)("by %s: sizes", (_way, open) => {
  test("3,993 bytes make a body of 4,096, and one more is refused", () => {
    const browser = newBrowser();
    const encryptor = open();
    expect(encryptor.encryptBatch(pack([browser], [randomBytes(3_993)])).bodyBytes).toBe(4_096);
    expect(() => encryptor.encryptBatch(pack([browser], [randomBytes(3_994)]))).toThrow(RangeError);
  });

  test("buffers that do not hold the count are refused", () => {
    const batch = pack([newBrowser()], [randomBytes(10)]);
    const encryptor = open();
    for (const wrong of [
      { ...batch, count: 2 },
      { ...batch, publicKeys: batch.publicKeys.subarray(1) },
      { ...batch, authSecrets: batch.authSecrets.subarray(1) },
      { ...batch, plaintextBytes: 9 },
      { ...batch, plaintextBytes: Number.NaN },
    ]) {
      expect(() => encryptor.encryptBatch(wrong)).toThrow(RangeError);
    }
  });
});

function newBrowser(): Browser {
  const keys = createECDH("prime256v1");
  return { keys, publicKey: keys.generateKeys(), authSecret: randomBytes(16) };
}

function pack(browsers: Browser[], messages: Buffer[], plaintextBytes = messages[0]?.length ?? 0): PlainBatch {
  return {
    count: browsers.length,
    publicKeys: Buffer.concat(browsers.map((browser) => browser.publicKey)),
    authSecrets: Buffer.concat(browsers.map((browser) => browser.authSecret)),
    plaintexts: Buffer.concat(messages),
    plaintextBytes,
  };
}

function bodyAt(bodies: Buffer, bodyBytes: number, i: number): Buffer {
  return bodies.subarray(i * bodyBytes, (i + 1) * bodyBytes);
}

function read(browser: Browser, body: Buffer): Buffer {
  const authSecret = browser.authSecret.toString("base64url");
  return ece.decrypt(body, { version: "aes128gcm", privateKey: browser.keys, authSecret });
}
