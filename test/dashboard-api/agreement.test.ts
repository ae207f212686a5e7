import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { agreement } from "../../dashboard/src/words/en/agreement.ts";
import { agreementVersion } from "../../src/tenants/tenant.ts";

/** The hash of each version's text. A change of the text needs a new version and a new line here. */
const texts: Record<string, string> = { "2026-11-21": "3b90ccf2e463241a" };

test("the agreement's text is the one of its version", () => {
  const words = [agreement.lead, ...agreement.parts.flatMap(({ head, text }) => [head, text])].join(" ");
  const hash = createHash("sha256").update(words).digest("hex").slice(0, 16);
  expect(texts[agreementVersion]).toBe(hash);
});
