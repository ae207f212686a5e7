import { beforeEach, describe, expect, test } from "vitest";
import { createKeyTrust, type KeyTrust } from "../../src/delivery/pace/key-trust.ts";
import type { FinalCode } from "../../src/runs/ledger/codes.ts";

let now = 0;
let key: KeyTrust;

beforeEach(() => {
  now = 1_000;
  key = createKeyTrust(() => now);
});

/** Checks a message that is sent now. */
function check(code: FinalCode, hasAccepted = false) {
  now++;
  return key.check(code, { begunMs: now, hasAccepted });
}

/** Checks `count` refused messages. Returns the result of the last one. */
function refuse(count: number, hasAccepted = false) {
  let last: ReturnType<typeof check>;
  for (let i = 0; i < count; i++) last = check(0x44, hasAccepted);
  return last;
}

describe("a key that no message was accepted with", () => {
  test("doubts the key after twenty refusals in a row, and holds it after twenty refused probes", () => {
    expect(refuse(19)).toBeUndefined();
    expect(key.isOnProbation()).toBe(false);
    expect(refuse(1)).toBeUndefined();
    expect(key.isOnProbation()).toBe(true);
    expect(refuse(19)).toBeUndefined();
    expect(check(0x43)).toBe("unauthorized");
    expect(key.isTrusted()).toBe(false);
  });

  test("is held by three refused probes of readers who have accepted a message before", () => {
    refuse(20);
    expect(refuse(2, true)).toBeUndefined();
    expect(refuse(1, true)).toBe("forbidden");
  });

  test("is not held by what was on the wire when the doubt began", () => {
    const begunMs = now;
    refuse(20);
    for (let i = 0; i < 30; i++) expect(key.check(0x44, { begunMs, hasAccepted: false })).toBeUndefined();
    expect(key.isOnProbation()).toBe(true);
  });

  test("is out of doubt with the first message that is accepted", () => {
    refuse(39);
    expect(check(0x20)).toBeUndefined();
    expect([key.isOnProbation(), key.isTrusted()]).toEqual([false, true]);
  });
});

describe("a key that a message was accepted with", () => {
  test("is trusted however many refuse it that never accepted one: they are another key's", () => {
    check(0x20);
    expect(refuse(5_000)).toBeUndefined();
    expect([key.isOnProbation(), key.isTrusted()]).toEqual([false, true]);
  });

  test("doubts the key after three refusals by subscribers that had accepted", () => {
    check(0x20);
    refuse(17);
    refuse(2, true);
    expect(key.isTrusted()).toBe(true);
    refuse(1, true);
    expect([key.isOnProbation(), key.isTrusted()]).toEqual([true, false]);
    expect(refuse(3, true)).toBe("forbidden");
  });

  test("is not in doubt where those three have others between them that accept", () => {
    check(0x20);
    for (let i = 0; i < 10; i++) {
      refuse(2, true);
      check(0x20);
    }
    refuse(20);
    expect(key.isTrusted()).toBe(true);
  });

  test("is trusted for a day, by what the ledger says of other threads too", () => {
    key.trust();
    expect(key.isTrusted()).toBe(true);
    now += 24 * 60 * 60 * 1_000;
    expect(key.isTrusted()).toBe(false);
    refuse(20);
    key.trust();
    expect([key.isOnProbation(), key.isTrusted()]).toEqual([false, true]);
  });

  test("is recorded at most once a minute", () => {
    expect(key.takeEvidence()).toBe(false);
    check(0x20);
    expect([key.takeEvidence(), key.takeEvidence()]).toEqual([true, false]);
    check(0x20);
    expect(key.takeEvidence()).toBe(false);
    now += 60_000;
    expect(key.takeEvidence()).toBe(true);
  });
});

test("a key on probation is held by one refusal, and released by one acceptance", () => {
  check(0x20);
  key.putOnProbation();
  expect(key.isTrusted()).toBe(false);
  expect(check(0x44)).toBe("forbidden");
  // Acceptances from before the hold are not recorded after it.
  expect([key.isOnProbation(), key.takeEvidence()]).toEqual([true, false]);
  expect(check(0x31)).toBeUndefined();
  expect(key.isOnProbation()).toBe(false);
  expect(check(0x44)).toBeUndefined();
});
