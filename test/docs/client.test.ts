import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createClient } from "../../client/client.ts";
import { openConformanceFixture } from "../conformance/fixture.ts";
import { readPage } from "./pages.ts";

const page = await readPage("docs/client.md");

test("the examples of docs/client.md run in their order, as one module", async () => {
  const { api, publisher, story, call } = await openConformanceFixture();
  const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code).join("");
  const folder = await mkdtemp(join(tmpdir(), "pressbell-client-"));
  const client = new URL("../../client/client.ts", import.meta.url).href;
  await writeFile(join(folder, "examples.mjs"), examples.replace('"@pressbell/client"', `"${client}"`));
  const env = {
    PRESSBELL_URL: api.url,
    PRESSBELL_KEY: publisher.apiKey,
    TENANT_ID: publisher.tenantId,
    SITE_ID: publisher.siteId,
    STORY_URL: story(),
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, "examples.mjs")], { env });
  await rm(folder, { recursive: true });
  expect(stdout).toContain("completed 0 false");
  expect(stderr).toContain("validation_failed");
  const { body } = await call("GET", `/v1/tenants/${publisher.tenantId}/campaigns`);
  expect(body.data).toMatchObject([
    { title: "Bridge opens on Sunday", status: "cancelled", urgency: "high" },
    { externalId: "4711", status: "sent" },
  ]);
});

test("docs/client.md lists every call of the client, and no other", () => {
  const client = createClient({ url: "https://push.example.org", apiKey: "pbk_", tenantId: "tenant" });
  const calls = Object.entries(client).flatMap(([noun, verbs]) => Object.keys(verbs).map((verb) => `${noun}.${verb}`));
  const [, signatures] = /^## Calls$.*?^```ts\n(.*?)^```$/ms.exec(page)!;
  const listed = [...signatures!.matchAll(/^([\w.]+)\(/gm)].map(([, call]) => call!);
  expect(listed.toSorted()).toEqual(calls.toSorted());
});
