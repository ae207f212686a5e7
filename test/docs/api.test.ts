import { expect, test } from "vitest";
import { readCampaignInput } from "../../src/campaigns/campaign-input.ts";
import { v1Routes } from "../../src/http/server.ts";
import { bodyOf, hasTool, page, runIn, testExamples } from "./api-examples.ts";

const hasShell = hasTool("bash") && hasTool("curl");

if (process.env.CI) {
  test("CI has a shell for the examples", () => {
    expect(hasShell).toBe(true);
  });
}

if (hasShell) testExamples("curl", paste);

/** Runs `script` in a shell in `folder`, and returns the answer of its curl command. */
async function paste(script: string, folder: string, variables: Record<string, string>) {
  const strict = `set -euo pipefail\ncurl() { command curl -w '\\n%{http_code}' "$@"; }\n`;
  const out = await runIn(folder, "bash", ["-c", strict + script], variables);
  const end = out.lastIndexOf("\n");
  return { status: Number(out.slice(end)), body: bodyOf(out.slice(0, end)) };
}

test("docs/api.md has a heading and an example for every route under /v1, and for no other", () => {
  const headings = [...page.matchAll(/^### `(\w+ \/v1\/\S+)`$/gm)].map(([, route]) => route!);
  expect(headings.toSorted()).toEqual(v1Routes.map(({ method, path }) => `${method} ${path}`).toSorted());
  const sections = page.split(/^##+ /m).filter((section) => section.startsWith("`"));
  for (const section of sections) expect(section, section.split("\n")[0]!).toMatch(/^curl /m);
});

test("docs/api.md names only fields that the creation of a campaign has", () => {
  const [, section] = page.split("### `POST /v1/tenants/:tenantId/campaigns`");
  const fields = [...section!.split("```")[0]!.matchAll(/^- (`[^(]+) \(/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, field]) => field!),
  );
  const { faults } = readCampaignInput(Object.fromEntries(fields.map((field) => [field, {}])));
  expect(faults!.map(({ path }) => path.slice(1)).toSorted()).toEqual(fields.toSorted());
  expect(faults!.filter(({ message }) => message.includes("not a field"))).toEqual([]);
});
