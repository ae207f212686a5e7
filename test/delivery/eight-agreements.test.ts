import { createECDH, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { chooseEncryption } from "../../src/delivery/crypto/encryption.ts";
import { openNativeCheck } from "../fixtures/native-check.ts";
import {
  bytesOf,
  generator,
  inverse,
  keyOf,
  multiply,
  negative,
  numberOf,
  order,
  type Point,
  pointAt,
  prime,
} from "./p256.ts";

/** Tests eight agreements at once against OpenSSL, and against known results. */
const chosen = await chooseEncryption("auto");
const hasAvx512 = chosen.by === "native" && chosen.agreement === "avx512";
const check = hasAvx512 ? await openNativeCheck() : undefined!;

type Pair = { scalar: Buffer; key: Buffer };

function agree(way: 0 | 1, pairs: Pair[]) {
  const ours = Buffer.alloc(pairs.length * 65);
  const shared = Buffer.alloc(pairs.length * 32);
  const scalars = Buffer.concat(pairs.map(({ scalar }) => scalar));
  const told = check.agree(way, scalars, Buffer.concat(pairs.map(({ key }) => key)), ours, shared);
  return { ours, shared, rejected: Number(told & 0xffffffffn), unsound: Number(told >> 32n) };
}

/** Compares pairs in groups, using each group size in turn. Returns the number of pairs. */
function compare(pairs: Pair[]): number {
  let size = 0;
  for (let from = 0; from < pairs.length; from += size) {
    size = (size % 32) + 1;
    const group = pairs.slice(from, from + size);
    const result = agree(0, group);
    expect(result).toEqual({ ...agree(1, group), rejected: 0, unsound: 0 });
  }
  return pairs.length;
}

type Vector = Pair & { id: number; isValid: boolean; secret: string };

/** Returns Wycheproof's vectors with a point of 65 bytes, the only form that browsers use. */
async function readVectors(): Promise<Vector[]> {
  const file = new URL("../fixtures/wycheproof/ecdh_secp256r1_ecpoint_test.json", import.meta.url);
  const { testGroups } = JSON.parse(await readFile(file, "utf8")) as {
    testGroups: { tests: Record<string, string>[] }[];
  };
  return testGroups
    .flatMap(({ tests }) => tests)
    .filter((each) => each.public!.length === 130)
    .map((each) => ({
      id: Number(each.tcId),
      scalar: bytesOf(BigInt(`0x${each.private}`)),
      key: Buffer.from(each.public!, "hex"),
      isValid: each.result === "valid",
      secret: each.shared!,
    }));
}

/** Returns scalars whose digits carry, scalars for which sums reach the limits, and regular patterns. */
function edgeScalars(): bigint[] {
  const small = Array.from({ length: 70 }, (_, i) => BigInt(i + 1));
  const powers = Array.from({ length: 255 }, (_, i) => 2n ** BigInt(i)).flatMap((each) => [each - 1n, each, each + 1n]);
  const patterns = [0x55n, 0xaan, 0x0fn, 0x33n, 0xefn].map((byte) => byte * ((2n ** 256n - 1n) / 255n));
  // For the first of these, the last addition of k G is a doubling.
  const special = [
    30n * 2n ** 252n - order,
    (order - 1n) / 2n,
    (order + 1n) / 2n,
    2n ** 255n + 2n ** 128n,
    ...patterns,
  ];
  const all = [...small, ...powers, ...special].filter((each) => each > 0n && each < order);
  return [...new Set([...all, ...all.map((each) => order - each)])];
}

/**
 * Returns multiples of the generator and their negatives, and points with coordinates near zero, near the prime and
 * with long runs of equal bits.
 */
function edgePoints(): Point[] {
  const multiples = Array.from({ length: 20 }, (_, i) => multiply(BigInt(i + 1), generator));
  const near = Array.from({ length: 30 }, (_, i) => BigInt(i)).flatMap((x) => [pointAt(x), pointAt(prime - 1n - x)]);
  const runs = Array.from({ length: 24 }, (_, i) => pointAt(2n ** BigInt(10 * i + 10) - 1n));
  const points = [...multiples, ...near, ...runs].filter((point) => point !== undefined);
  return points.flatMap((point) => [point, negative(point)]);
}

describe.runIf(hasAvx512)("eight agreements at once", () => {
  test("come to OpenSSL's results for scalars and points at the edges", () => {
    const scalars = edgeScalars().map(bytesOf);
    const keys = edgePoints().map(keyOf);
    const pairs = scalars.flatMap((scalar, i) =>
      [0, 1].map((j) => ({ scalar, key: keys[(2 * i + j) % keys.length]! })),
    );
    const turned = keys.flatMap((key, i) =>
      [0, 1, 2].map((j) => ({ scalar: scalars[(i * 31 + j) % scalars.length]!, key })),
    );
    expect(compare([...pairs, ...turned])).toBeGreaterThan(3_000);
  });

  test("come to OpenSSL's results for random scalars and points", () => {
    const pairs = Array.from({ length: 2_000 }, () => {
      const own = createECDH("prime256v1");
      own.generateKeys();
      const scalar = own.getPrivateKey();
      const key = createECDH("prime256v1").generateKeys();
      return { scalar: Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]), key };
    });
    compare(pairs);
  });
});

describe.runIf(hasAvx512)("eight agreements at once, by results that are known,", () => {
  test("come to the shared secret of RFC 5903 section 8.1", () => {
    const i = 0xc88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433n;
    const gr = {
      x: 0xd12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63n,
      y: 0x56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872abn,
    };
    const { ours, shared } = agree(0, [{ scalar: bytesOf(i), key: keyOf(gr) }]);
    expect(numberOf(ours.subarray(1, 33))).toBe(0xdad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180n);
    expect(numberOf(shared)).toBe(0xd6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442den);
  });

  test("come to secrets chosen beforehand: zero, near the prime, powers of two, repeated patterns", () => {
    const k = 0x0612465c89a023ab17855b0a6bcebfd3febb53aef84138647b5352e02c10c346n;
    const powers = Array.from({ length: 256 }, (_, i) => 2n ** BigInt(i));
    const patterns = [3n, 15n, 255n, 65_535n, 2n ** 32n - 1n].map((run) => (2n ** 256n - 1n) / (run + 2n));
    const wanted = [0n, ...powers, ...powers.map((each) => prime - each), ...patterns]
      .filter((x) => x >= 0n && x < prime)
      .map(pointAt)
      .filter((point) => point !== undefined)
      .slice(0, 96);
    const unK = inverse(k, order);
    for (let from = 0; from < wanted.length; from += 32) {
      const group = wanted.slice(from, from + 32);
      const pairs = group.map((point) => ({ scalar: bytesOf(k), key: keyOf(multiply(unK, point)) }));
      expect(agree(0, pairs).shared).toEqual(Buffer.concat(group.map(({ x }) => bytesOf(x))));
    }
  });

  test("reject keys that are no points in their lanes alone", () => {
    const key = keyOf(multiply(7n, generator));
    const scalar = bytesOf(order - 5n);
    const hybrid = Buffer.from(key).fill(6, 0, 1);
    const offCurve = Buffer.from(key);
    offCurve[64]! ^= 1;
    const tooLarge = (at: number) =>
      Buffer.from(key).fill(bytesOf(prime + (numberOf(key.subarray(1, 33)) % 2n ** 200n)), at, at + 32);
    const bad = [
      hybrid,
      offCurve,
      tooLarge(1),
      tooLarge(33),
      Buffer.alloc(65),
      Buffer.alloc(65, 255),
      randomBytes(65).fill(4, 0, 1),
    ];
    const pairs = Array.from({ length: 21 }, (_, i) => ({ scalar, key: i % 3 === 0 ? bad[i / 3]! : key }));
    const { rejected, shared } = agree(0, pairs);
    expect(rejected).toBe(0b001001001001001001001);
    const expected = agree(1, pairs.slice(1, 2)).shared;
    for (let i = 0; i < 21; i++) if (i % 3 !== 0) expect(shared.subarray(i * 32, i * 32 + 32)).toEqual(expected);
  });

  test("come to the shared secrets of Wycheproof's vectors, and reject its wrong keys", async () => {
    const vectors = await readVectors();
    expect([vectors.filter(({ isValid }) => isValid).length, vectors.length]).toEqual([191, 207]);
    for (let from = 0; from < vectors.length; from += 32) {
      const group = vectors.slice(from, from + 32);
      const { rejected, shared } = agree(0, group);
      group.forEach(({ id, isValid, secret }, i) => {
        expect((rejected >>> i) & 1, `vector ${id}`).toBe(isValid ? 0 : 1);
        if (isValid) expect(shared.subarray(i * 32, i * 32 + 32).toString("hex"), `vector ${id}`).toBe(secret);
      });
    }
  });

  test("have known answers that are OpenSSL's, too", () => {
    expect(check.openSslAnswersAsKnown()).toBe(true);
  });
});
