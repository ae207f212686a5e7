import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { loadWords, words } from "../../dashboard/src/words/words.ts";
import { agreementVersion } from "../../src/tenants/tenant.ts";

/** The hash of each version's text. A change of the text needs a new version and a new line here. */
const texts: Record<string, string> = { "2026-11-21": "3b90ccf2e463241a" };

await loadWords(["agreement"], "en");

test("the agreement's text is the one of its version", () => {
  const { lead, parts } = words.agreement;
  const text = [lead, ...parts.flatMap((part) => [part.head, part.text])].join(" ");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  expect(texts[agreementVersion]).toBe(hash);
});
