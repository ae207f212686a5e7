import { describe, expect, test } from "vitest";
import { decodeCodeCounts, encodeCodeCounts } from "../../src/runs/ledger/code-counts.ts";
import {
  countCodes,
  type FinalCode,
  finalCodes,
  intentAfter,
  isFinal,
  isUncertain,
  retryCode,
  triesOf,
} from "../../src/runs/ledger/codes.ts";
import { endCodes } from "../../src/runs/ledger/end-batches.ts";
import { messageOfCode } from "../../src/runs/messages.ts";

const all = Array.from({ length: 0x80 }, (_, code) => code);

describe("the code of a recipient", () => {
  test("is pending, uncertain, to be retried or final, and never two of them", () => {
    for (const code of all) {
      expect([code, isUncertain(code), isFinal(code)]).toEqual([code, code >= 0x01 && code <= 0x0f, code >= 0x20]);
    }
  });

  test("counts its tries, from an intent to a retry and to the next intent", () => {
    let code = 0x00;
    for (let n = 1; n <= 15; n++) {
      code = intentAfter(code);
      expect([code, triesOf(code)]).toEqual([n, n]);
      code = retryCode(code);
      expect([code, triesOf(code), isUncertain(code)]).toEqual([0x10 + n, n, false]);
    }
    expect(intentAfter(code)).toBe(0x0f);
    expect(intentAfter(0x0f)).toBe(0x0f);
    expect(intentAfter(0x03)).toBe(0x04);
  });

  test("is counted in the class that its explanation names", () => {
    for (const [code, { class: name }] of Object.entries(finalCodes)) {
      expect([code, countCodes([Number(code)] as never)[name]]).toEqual([code, 1]);
      expect(isFinal(Number(code))).toBe(true);
    }
  });

  test("is counted where it is final, and only there", () => {
    const counts = encodeCodeCounts(Buffer.from("2000310111312041", "hex"));
    expect(counts.toString("hex")).toBe("200002310002410001");
    expect(decodeCodeCounts(counts)).toEqual([
      { code: 0x20, n: 2 },
      { code: 0x31, n: 2 },
      { code: 0x41, n: 1 },
    ]);
    expect(decodeCodeCounts(encodeCodeCounts(Buffer.alloc(1_000, 0x7f)))).toEqual([{ code: 0x7f, n: 1_000 }]);
    expect(encodeCodeCounts(Buffer.alloc(7))).toEqual(Buffer.alloc(0));
  });

  test("is explained where it is final, each with a reason of its own", () => {
    const reasons = Object.values(finalCodes).map(({ reason }) => reason);
    expect(new Set(reasons).size).toBe(reasons.length);
    for (const code of Object.keys(finalCodes))
      expect(messageOfCode(Number(code) as FinalCode).message).toMatch(/^[A-Z].*\.$|\?$/);
  });
});

describe("the counts of a batch", () => {
  test("add up to its size, whatever its codes", () => {
    const counts = countCodes(Buffer.from(all));
    expect(counts).toEqual({ pending: 32, accepted: 16, gone: 16, failed: 16, expired: 16, notSent: 16, unknown: 16 });
  });
});

describe("the end of a batch that nobody delivers any more", () => {
  test("leaves what is final, makes unknown what is uncertain, and gives all others the code", () => {
    const codes = Buffer.from([0x00, 0x01, 0x0f, 0x11, 0x1f, 0x20, 0x31, 0x41, 0x70]);
    expect([...endCodes(codes, 0x60)]).toEqual([0x60, 0x70, 0x70, 0x60, 0x60, 0x20, 0x31, 0x41, 0x70]);
    expect([...endCodes(codes, 0x50)]).toEqual([0x50, 0x70, 0x70, 0x50, 0x50, 0x20, 0x31, 0x41, 0x70]);
  });
});
