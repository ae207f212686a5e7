import { describe, expect, test } from "vitest";
import { createSecretBox, sameBytes } from "../src/secret-box.ts";

const box = createSecretBox("one secret key of thirty-two characters");
const plain = Buffer.from("a private key");

describe("a sealed value", () => {
  test("opens to the sealed value, also an empty one", () => {
    expect(box.open(box.seal(plain, "vapid:a"), "vapid:a")).toEqual(plain);
    expect(box.open(box.seal(Buffer.alloc(0), "vapid:a"), "vapid:a")).toEqual(Buffer.alloc(0));
  });

  test("opens with another box of the same key, as after a restart", () => {
    const later = createSecretBox("one secret key of thirty-two characters");
    expect(later.open(box.seal(plain, "vapid:a"), "vapid:a")).toEqual(plain);
  });

  test("does not contain the plain value, and differs each time", () => {
    const [first, second] = [box.seal(plain, "vapid:a"), box.seal(plain, "vapid:a")];
    expect(first.includes(plain)).toBe(false);
    expect(first).not.toEqual(second);
  });

  test("does not open in another context: a row copied to another site is useless", () => {
    const sealed = box.seal(plain, "vapid:a");
    expect(() => box.open(sealed, "vapid:b")).toThrow();
  });

  test("does not open with another key", () => {
    const sealed = box.seal(plain, "vapid:a");
    expect(() => createSecretBox("another secret key of 32 characters").open(sealed, "vapid:a")).toThrow();
  });

  test("does not open if any bit differs, or if it is truncated", () => {
    const sealed = box.seal(plain, "vapid:a");
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const flipped = Buffer.from(sealed);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => box.open(flipped, "vapid:a")).toThrow();
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => box.open(sealed.subarray(0, length), "vapid:a")).toThrow();
    }
  });
});

describe("a signature", () => {
  test("is of this key and this data, and not made with the key that seals", () => {
    const signed = box.sign(Buffer.from("data"));
    expect(signed).toHaveLength(32);
    expect(sameBytes(signed, box.sign(Buffer.from("data")))).toBe(true);
    expect(sameBytes(signed, box.sign(Buffer.from("date")))).toBe(false);
    expect(sameBytes(signed, createSecretBox("another secret key of 32 characters").sign(Buffer.from("data")))).toBe(
      false,
    );
  });

  test("of another length differs", () => {
    expect(sameBytes(Buffer.from("ab"), Buffer.from("a"))).toBe(false);
  });
});

describe("a list of keys, newest first", () => {
  const [old, fresh] = ["one secret key of thirty-two characters", "the key that takes its place from now on"];
  const ring = createSecretBox(`${fresh}, ${old}`);

  test("opens what each of them has sealed, and seals with the first", () => {
    expect(ring.open(box.seal(plain, "vapid:a"), "vapid:a")).toEqual(plain);
    const sealed = ring.seal(plain, "vapid:a");
    expect(createSecretBox(fresh).open(sealed, "vapid:a")).toEqual(plain);
    expect(() => box.open(sealed, "vapid:a")).toThrow();
    expect(() => ring.open(sealed, "vapid:b")).toThrow();
  });

  test("verifies what each of them has signed, and signs with the first", () => {
    const data = Buffer.from("data");
    expect(ring.sign(data)).toEqual(createSecretBox(fresh).sign(data));
    expect(ring.verify(data, box.sign(data))).toBe(true);
    expect(ring.verify(data, ring.sign(data))).toBe(true);
    expect(ring.verify(data, box.sign(data).subarray(0, 16), 16)).toBe(true);
    expect(box.verify(data, ring.sign(data))).toBe(false);
    for (const mac of [Buffer.alloc(0), box.sign(data).subarray(0, 16), box.sign(Buffer.from("date"))])
      expect(ring.verify(data, mac)).toBe(false);
  });

  test("is told from one passphrase with commas by the length of its parts", () => {
    const passphrase = "a passphrase of one person, with a comma";
    const sealed = createSecretBox(passphrase).seal(plain, "vapid:a");
    expect(createSecretBox(`${fresh},${old}`).tokenKeys).toHaveLength(2);
    expect(createSecretBox(passphrase).tokenKeys).toHaveLength(1);
    expect(createSecretBox(passphrase).open(sealed, "vapid:a")).toEqual(plain);
  });
});
