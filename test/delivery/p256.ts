/** P-256 in whole numbers, slow but straight from the definitions. The tests compare native/ with it. */

export const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
export const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
export const curveB = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** An affine point; undefined is infinity. */
export type Point = { x: bigint; y: bigint } | undefined;

export const generator = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

export function modulo(a: bigint, by = prime): bigint {
  return ((a % by) + by) % by;
}

export function power(base: bigint, exponent: bigint, by = prime): bigint {
  let result = 1n;
  for (let square = modulo(base, by), rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % by;
    square = (square * square) % by;
  }
  return result;
}

/** Returns the modular inverse, by Euclid's algorithm. */
export function inverse(a: bigint, by = prime): bigint {
  let [rest, next, factor, nextFactor] = [by, modulo(a, by), 0n, 1n];
  while (next > 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return modulo(factor, by);
}

export function negative(p: Point): Point {
  return p && { x: p.x, y: modulo(-p.y) };
}

export function add(p: Point, q: Point): Point {
  if (p === undefined) return q;
  if (q === undefined) return p;
  if (p.x === q.x && modulo(p.y + q.y) === 0n) return undefined;
  const slope = p.x === q.x ? (3n * p.x * p.x - 3n) * inverse(2n * p.y) : (q.y - p.y) * inverse(q.x - p.x);
  const x = modulo(slope * slope - p.x - q.x);
  return { x, y: modulo(slope * (p.x - x) - p.y) };
}

export function multiply(scalar: bigint, point: Point): Point {
  let result: Point;
  for (let twice = point, rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, twice);
    twice = add(twice, twice);
  }
  return result;
}

/** Returns a point with this x, or undefined if the curve has none. */
export function pointAt(x: bigint): Point {
  const square = modulo(x ** 3n - 3n * x + curveB);
  const y = power(square, (prime + 1n) / 4n);
  return (y * y) % prime === square ? { x, y } : undefined;
}

export function bytesOf(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(64, "0"), "hex");
}

export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** Returns the uncompressed form of a point. */
export function keyOf(point: Point): Buffer {
  return Buffer.concat([Buffer.from([4]), bytesOf(point!.x), bytesOf(point!.y)]);
}
