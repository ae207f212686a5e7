import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { agreementVersion } from "../../src/tenants/tenant.ts";

/** The hash of the text of each version. A change of the text needs a new version and a new line here. */
const texts: Record<string, string> = { "2026-11-21": "609e0a1899021afc" };

test("the agreement's text is the one of its version", async () => {
  const page = await readFile(new URL("../../dashboard/src/components/agreement.tsx", import.meta.url), "utf8");
  const words = page.slice(page.indexOf("return (")).replace(/<[^>]*>|\{" "\}|\s+/g, " ");
  const hash = createHash("sha256").update(words).digest("hex").slice(0, 16);
  expect(texts[agreementVersion]).toBe(hash);
});
