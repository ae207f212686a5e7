import { type RawBuilder, sql } from "kysely";
import { isFinal } from "./codes.ts";

/**
 * Returns `run_batches.code_counts`: how often each final code occurs in a batch. An entry has three bytes: the code,
 * then its count (big endian). A run's reasons are summed from these entries, so its codes need not be read. Only
 * this file knows the encoding.
 */
export function encodeCodeCounts(codes: Uint8Array): Buffer {
  const counts = new Uint16Array(256);
  for (const code of codes) counts[code]!++;
  const entries: number[] = [];
  counts.forEach((n, code) => {
    if (n > 0 && isFinal(code)) entries.push(code, n >> 8, n & 0xff);
  });
  return Buffer.from(entries);
}

/** Returns the entries that `encodeCodeCounts` wrote, for one batch or for several in a row. */
export function decodeCodeCounts(counts: Buffer): { code: number; n: number }[] {
  return Array.from({ length: counts.length / 3 }, (_, i) => ({
    code: counts[3 * i]!,
    n: counts.readUInt16BE(3 * i + 1),
  }));
}

/** Returns SQL: the entry of one final code that occurs `n` times. */
export function codeCount(code: RawBuilder<unknown>, n: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`decode(to_hex((${code})::int) || lpad(to_hex((${n})::int), 4, '0'), 'hex')`;
}

/** Returns SQL: the codes of a batch of `size` recipients that all have the same code. */
export function sameCodes(code: RawBuilder<unknown>, size: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`decode(repeat(${oneCode(code)}, (${size})::int), 'hex')`;
}

/** Returns SQL: the two hex digits of a code. */
export function oneCode(code: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lpad(to_hex((${code})::int), 2, '0')`;
}
