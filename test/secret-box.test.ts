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
