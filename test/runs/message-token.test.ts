import { createSecretKey, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { createMessageSigner, readMessageToken } from "../../src/runs/message-token.ts";
import { messageIdCharacters, messageTokenCharacters } from "../../src/runs/payload.ts";

const key = createSecretKey(randomBytes(32));

describe("a message token", () => {
  test("names the run, the batch and the place in it", () => {
    const places = [
      { runId: newId(), no: 1, position: 0 },
      { runId: newId(), no: 10_000, position: 999 },
      { runId: "ffffffff-ffff-ffff-ffff-ffffffffffff", no: 0xffff_ffff, position: 0xffff },
    ];
    for (const place of places) {
      const { id, token } = createMessageSigner(key, place.runId, place.no)(place.position);
      expect([id.length, token.length]).toEqual([messageIdCharacters, messageTokenCharacters]);
      expect(readMessageToken(key, token)).toEqual(place);
    }
  });

  test("is the same for every try, and another for every place", () => {
    const runId = newId();
    const sign = createMessageSigner(key, runId, 7);
    const first = sign(1);
    const others = Array.from({ length: 1_000 }, (_, position) => sign(position));
    expect(others[1]).toEqual(first);
    expect(createMessageSigner(key, runId, 7)(1)).toEqual(first);
    expect(new Set(others.map(({ id }) => id)).size).toBe(1_000);
  });

  test("is refused when it was signed with another key, or any of its characters is changed", () => {
    const { token } = createMessageSigner(key, newId(), 1)(1);
    expect(readMessageToken(createSecretKey(randomBytes(32)), token)).toBeUndefined();
    // Two bits of the last character have no meaning, so it is left out.
    for (let at = 0; at < token.length - 1; at++) {
      const forged = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
      expect(readMessageToken(key, forged)).toBeUndefined();
    }
  });

  test("is refused when it is none at all", () => {
    const { token } = createMessageSigner(key, newId(), 1)(1);
    for (const text of [
      "",
      "x",
      token.slice(1),
      `${token}A`,
      "é".repeat(43),
      `${token.slice(0, 42)}=`,
      " ".repeat(43),
    ]) {
      expect(readMessageToken(key, text)).toBeUndefined();
    }
  });
});
