import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseEncryption } from "../../src/delivery/crypto/encryption.ts";
import { openNativeCheck } from "../fixtures/native-check.ts";
import { add, generator, inverse, modulo, multiply, negative, type Point, prime } from "./p256.ts";

/** Tests the field and the points of native/, in eight lanes, against whole numbers. */
const chosen = await chooseEncryption("auto");
const hasAvx512 = chosen.by === "native" && chosen.agreement === "avx512";
const check = hasAvx512 ? await openNativeCheck() : undefined!;

const lanes = 8;
const limbs = 5;
const limbMask = 2n ** 52n - 1n;
const r = 2n ** 260n;
const unR = inverse(r);
const primeLimbs = limbsOf(prime);

/** The allowed content of a result's limbs: see `Limbs` in native/field8.h. */
type Form = "clean" | "factor" | "term";
type Operation = {
  name: string;
  number: number;
  /** Bounds of the operands, in sixteenths of the prime. */
  bounds: [number, number];
  /** Whether bits above the limbs of the operands must be ignored. */
  takesFactors?: true;
  form: Form;
  expected(a: bigint, b: bigint, lane: number): bigint;
};

const operations: Operation[] = [
  { name: "a b", number: 0, bounds: [240, 256], takesFactors: true, form: "clean", expected: (a, b) => a * b * unR },
  {
    name: "2 a b",
    number: 1,
    bounds: [112, 256],
    takesFactors: true,
    form: "term",
    expected: (a, b) => 2n * a * b * unR,
  },
  {
    name: "3 a b",
    number: 2,
    bounds: [69, 256],
    takesFactors: true,
    form: "factor",
    expected: (a, b) => 3n * a * b * unR,
  },
  { name: "a a", number: 3, bounds: [247, 1], takesFactors: true, form: "clean", expected: (a) => a * a * unR },
  { name: "2 a a", number: 4, bounds: [169, 1], takesFactors: true, form: "term", expected: (a) => 2n * a * a * unR },
  { name: "a - b, carried", number: 5, bounds: [128, 112], form: "clean", expected: (a, b) => a - b },
  { name: "a + b, carried", number: 6, bounds: [128, 128], form: "factor", expected: (a, b) => a + b },
  { name: "a - b, folded", number: 7, bounds: [256, 256], form: "clean", expected: (a, b) => a - b },
  {
    name: "-a in odd lanes",
    number: 8,
    bounds: [256, 1],
    form: "clean",
    expected: (a, _, lane) => (lane % 2 === 1 ? -a : a),
  },
  { name: "out of Montgomery's form", number: 9, bounds: [240, 1], form: "clean", expected: (a) => a * unR },
  { name: "into Montgomery's form", number: 10, bounds: [256, 1], form: "clean", expected: (a) => a * r },
  { name: "1 / a", number: 11, bounds: [20, 1], form: "clean", expected: (a) => inverse(a) * r * r },
];

function limbsOf(value: bigint): bigint[] {
  return Array.from({ length: limbs }, (_, i) => (value >> BigInt(52 * i)) & limbMask);
}

function integerOf(limb: bigint[]): bigint {
  return limb.reduceRight((upper, each) => (upper << 52n) + each, 0n);
}

/**
 * Packs one value for each lane as the helper's vectors: limb by limb. `above`: bits above the 52 of the lower four
 * limbs.
 */
function pack(values: bigint[], above = 0n): Buffer {
  const buffer = Buffer.alloc(limbs * lanes * 8);
  values.forEach((value, lane) => {
    const limb = limbsOf(value);
    limb[4] = value >> 208n;
    limb.forEach((each, i) => {
      buffer.writeBigUInt64LE(each | (i < 4 ? above << 52n : 0n), (i * lanes + lane) * 8);
    });
  });
  return buffer;
}

function unpack(buffer: Buffer, lane: number): bigint[] {
  return Array.from({ length: limbs }, (_, i) => buffer.readBigUInt64LE((i * lanes + lane) * 8));
}

/**
 * Creates eight values below `bound` sixteenths of the prime. Most are at an edge of this range, of a limb, or of the
 * prime.
 */
function elements(bound: number): fc.Arbitrary<bigint[]> {
  const below = (BigInt(bound) * prime) / 16n;
  const limb = fc.oneof(
    fc.constantFrom(0n, 1n, limbMask - 1n, limbMask, limbMask >> 1n, ...primeLimbs),
    fc.bigInt({ min: 0n, max: limbMask }),
  );
  const value = fc.oneof(
    fc.array(limb, { minLength: limbs, maxLength: limbs }).map((each) => integerOf(each) % below),
    fc.bigInt({ min: 0n, max: 3n }).map((each) => below - 1n - (each % below)),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 16n }), fc.bigInt({ min: -2n, max: 2n }))
      .map(([times, by]) => modulo(times * prime + by, below)),
  );
  return fc.array(value, { minLength: lanes, maxLength: lanes });
}

describe.runIf(hasAvx512)("the field of eight lanes", () => {
  test.each(operations)("$name: congruent, below its bound, limbs as promised", (operation) => {
    const { number, bounds, takesFactors, form, expected } = operation;
    const above = takesFactors ? fc.bigInt({ min: 0n, max: 2n ** 12n - 1n }) : fc.constant(0n);
    const operands = fc.tuple(elements(bounds[0]), elements(bounds[1]), above);
    const out = Buffer.alloc(limbs * lanes * 8);
    fc.assert(
      fc.property(operands, ([a, b, bitsAbove]) => {
        const bound = check.field(number, pack(a, bitsAbove), pack(b, bitsAbove), out);
        for (let lane = 0; lane < lanes; lane++) {
          const limb = unpack(out, lane);
          if (form !== "term") expect(limb[4]! >> 52n).toBe(0n);
          if (form === "clean") expect(limb.every((each) => each <= limbMask)).toBe(true);
          const value = integerOf(form === "factor" ? limb.map((each) => each & limbMask) : limb);
          expect(modulo(value)).toBe(modulo(expected(a[lane]!, b[lane]!, lane)));
          expect(16n * value < BigInt(bound) * prime).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("the integer that leaves it is the one below the prime", () => {
    const multiples = Array.from({ length: lanes }, (_, i) => BigInt(i) * prime + (i % 2 === 0 ? 0n : r % prime));
    const out = Buffer.alloc(limbs * lanes * 8);
    check.field(9, pack(multiples), pack(multiples), out);
    for (let lane = 0; lane < lanes; lane++) expect(integerOf(unpack(out, lane))).toBe(lane % 2 === 0 ? 0n : 1n);
  });

  test("tells what is below the prime, and what is a multiple of it", () => {
    const out = Buffer.alloc(limbs * lanes * 8);
    fc.assert(
      fc.property(elements(256), elements(256), (a, b) => {
        const maskOf = (isSo: (lane: number) => boolean) => a.reduce((mask, _, i) => mask | (isSo(i) ? 1 << i : 0), 0);
        expect(check.field(12, pack(a), pack(b), out)).toBe(maskOf((i) => a[i]! < prime));
        expect(check.field(13, pack(a), pack(b), out)).toBe(maskOf((i) => modulo(a[i]! - b[i]!) === 0n));
      }),
    );
  });
});

/**
 * Packs eight points in Montgomery's form, one coordinate after another: X of all lanes, then Y, and Z if `z` is given.
 */
function packPoints(points: Point[], z?: bigint[]): Buffer {
  const coordinate = (of: (point: Point, i: number) => bigint) =>
    pack(points.map((point, i) => modulo(of(point, i) * r)));
  if (z === undefined) return Buffer.concat([coordinate((p) => p!.x), coordinate((p) => p!.y)]);
  return Buffer.concat([
    coordinate((p, i) => (p === undefined ? 0n : p.x * z[i]!)),
    coordinate((p, i) => (p === undefined ? z[i]! : p.y * z[i]!)),
    coordinate((p, i) => (p === undefined ? 0n : z[i]!)),
  ]);
}

describe.runIf(hasAvx512)("the complete addition", () => {
  test("is right for any two points: equal, opposite, infinity; and subtracts where it is told to", () => {
    const scalar = fc.bigInt({ min: 1n, max: 50n });
    const z = fc.array(fc.bigInt({ min: 1n, max: prime - 1n }), { minLength: lanes, maxLength: lanes });
    const out = Buffer.alloc(3 * limbs * lanes * 8);
    fc.assert(
      fc.property(scalar, scalar, z, (one, other, scales) => {
        const q = multiply(one, generator)!;
        const p = [undefined, q, negative(q), multiply(other, generator)];
        const left = [...p, ...p];
        check.addPoints(packPoints(left, scales), packPoints(left.map(() => q)), out);
        left.forEach((point, lane) => {
          // Lanes 4 to 7 subtract.
          const expected = add(point, lane < 4 ? q : negative(q));
          const [x, y, scale] = [0, 1, 2].map(
            (i) => integerOf(unpack(out.subarray(i * limbs * lanes * 8), lane)) * unR,
          );
          expect(modulo(scale!) === 0n).toBe(expected === undefined);
          if (expected === undefined) return;
          expect({ x: modulo(x! * inverse(scale!)), y: modulo(y! * inverse(scale!)) }).toEqual(expected);
        });
      }),
    );
  });
});
