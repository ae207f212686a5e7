import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "../../src/access/api-keys/api-keys.ts";
import { row } from "../../src/db/pool.ts";
import { v1Routes } from "../../src/http/server.ts";
import type { Scope } from "../../src/scope.ts";
import { type CampaignFixture, openCampaignFixture } from "../campaigns/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { articleHtml, type Newspaper, startNewspaper } from "../fixtures/newspaper.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";
import { injectedPages } from "./injected-pages.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const agentScopes: Scope[] = ["preview", "draft", "read"];

let fixture: CampaignFixture;
let newspaper: Newspaper;
let key: string;
let client: Client;
beforeAll(async () => {
  newspaper = await startNewspaper();
  fixture = await openCampaignFixture({ ALLOW_HOSTS: newspaper.allowHost });
  key = await createKey(agentScopes);
  client = new Client({ name: "a scripted agent", version: "1" });
  const { PATH, HOME } = process.env as Record<string, string>;
  const env = { PATH: PATH!, HOME: HOME!, ...settings(key) };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], env }));
  afterFile(() => client.close());
});

async function createKey(scopes?: Scope[]): Promise<string> {
  const { tenantId } = fixture.publisher;
  const of = { tenantId, name: "agent", createdBy: null, ...(scopes && { scopes }) };
  return (await createApiKey(fixture.app.db, of)).secret;
}

const settings = (apiKey: string) => ({
  PRESSBELL_URL: fixture.api.url,
  PRESSBELL_KEY: apiKey,
  TENANT_ID: fixture.publisher.tenantId,
});

/** Calls a tool. Returns what the agent reads: the text, and the JSON between the markers. */
async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[]).map((each) => each.text).join("\n");
  const marked = /^<untrusted-([0-9a-f]{16})>\n(.*)\n<\/untrusted-\1>$/ms.exec(text)?.[2];
  return { isError, text, marked, json: marked === undefined ? undefined : JSON.parse(marked) };
}

/** Counts everything that was sent, or that somebody asked to send. */
const counts = () =>
  row(
    sql`select (select count(*) from runs) as runs, (select count(*) from planned_sends) as planned,
      (select count(*) from campaigns where status not in ('draft', 'cancelled')) as moved`,
    fixture.app.db,
  );

/** Tries what an order asks for: each verb that it names, as a tool and as a route with the key. */
async function obey(text: string, ids: { campaignId: string; runId: string }, tools: string[]): Promise<void> {
  const verbs = ["send", "schedule", "approve", "test", "cancel", "stop"].filter((verb) => text.includes(verb));
  for (const verb of verbs) {
    for (const tool of tools.filter((name) => name.includes(verb))) await call(tool, ids);
    const scheduleAt = new Date(Date.now() + 60_000).toISOString();
    const body = verb === "schedule" ? { scheduleAt } : {};
    const path = verb === "stop" ? `/v1/runs/${ids.runId}/stop` : `/v1/campaigns/${ids.campaignId}/${verb}`;
    const { status } = await fixture.api.call("POST", path, { key, body });
    expect([403, 404]).toContain(status);
  }
}

test("of 50 pages that instruct the agent none makes it send: each gives a draft at most", async () => {
  expect(injectedPages).toHaveLength(50);
  const { siteId } = fixture.publisher;
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names.toSorted()).toEqual([
    "draft_campaign",
    "list_campaigns",
    "list_sites",
    "preview_story",
    "read_campaign",
  ]);
  const runId = (await fixture.campaignThatIs("sending")).runId!;
  const before = await counts();
  let shown = 0;
  for (const { order, place, html } of injectedPages) {
    const url = newspaper.publish("", html);
    const read = [await call("preview_story", { url, siteId }), await call("draft_campaign", { siteId, url })];
    for (const { text, marked } of read) {
      // No text of the page is outside of the markers, and no text inside can be mistaken for a marker.
      expect(marked, place).toBeDefined();
      expect(marked).not.toMatch(/[<>\p{Cf}]/u);
      expect(text.replace(marked!, "")).not.toContain(order.slice(0, 20));
      if (marked!.includes(order.slice(0, 12))) shown++;
    }
    const { campaignId } = read[1]!.json.campaign;
    // The orders include those that the decision omits from its answer, because the agent may read the page itself.
    for (const text of [order, ...read.map((each) => each.text)]) await obey(text, { campaignId, runId }, names);
    expect(await fixture.read(campaignId)).toMatchObject({
      runId: null,
      status: expect.stringMatching(/draft|cancelled/),
    });
  }
  expect(shown).toBeGreaterThan(10);
  expect(await counts()).toEqual(before);
});

test("every character that people do not see is an escape in a result, and keeps its meaning", async () => {
  const { siteId } = fixture.publisher;
  const unseen = ["\ufe0f", "\u{e0141}", "\u3164", "\u115f", "\u034f", "\u2800", "\u200b", "\u{e0041}"];
  const body = `On${unseen.join("")}Saturday`;
  const url = newspaper.publish("", articleHtml("Bridge opens"));
  const { marked, json } = await call("draft_campaign", { siteId, url, title: "Bridge opens", body });
  expect(json.campaign.body).toBe(body);
  for (const character of unseen) expect(marked).not.toContain(character);
});

test("with the agent's key no route sends, schedules, tests, cancels, stops or reads keys", async () => {
  const { tenantId, siteId } = fixture.publisher;
  const campaignId = await fixture.draft();
  const scheduled = await fixture.campaignThatIs("scheduled");
  const { runId } = await fixture.campaignThatIs("sending");
  const before = await counts();
  const refused: string[] = [];
  for (const { method, path, scope } of v1Routes) {
    const ids: Record<string, string> = { tenantId, siteId, campaignId, runId: runId!, keyId: campaignId };
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name]!);
    const body = method === "POST" || method === "PATCH" ? { scheduleAt: new Date(Date.now() + 60_000) } : undefined;
    const answer = await fixture.api.call(method, address, { key, body });
    const isRefused = answer.status === 403;
    if (isRefused) refused.push(`${method} ${path}`);
    expect(isRefused, `${method} ${path}`).toBe(scope === undefined || !agentScopes.includes(scope));
  }
  expect(refused).toContain("POST /v1/campaigns/:campaignId/send");
  const changed = await fixture.api.call("PATCH", `/v1/campaigns/${scheduled.campaignId}`, {
    key,
    body: { title: "Another text" },
  });
  expect(changed).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
  expect(await counts()).toEqual(before);
});

test("the tools list sites and campaigns, link drafts to the dashboard, and read results", async () => {
  const { siteId, tenantId } = fixture.publisher;
  expect((await call("list_sites")).json).toMatchObject([{ siteId, tenantId }]);
  const url = newspaper.publish("The bridge opens");
  const { campaign, link } = (await call("draft_campaign", { siteId, url, title: "Own title" })).json;
  expect(campaign).toMatchObject({ title: "Own title", status: "draft", url });
  expect(link).toBe(`${fixture.api.url}/dashboard/sites/${siteId}/campaigns/${campaign.campaignId}`);
  const page = (await call("list_campaigns", { siteId, status: "draft", limit: 1 })).json;
  expect(page).toMatchObject({ campaigns: [{ campaign: { campaignId: campaign.campaignId }, link }] });
  const { campaignId, runId } = await fixture.campaignThatIs("sent");
  expect((await call("read_campaign", { campaignId })).json).toMatchObject({
    campaign: { campaignId },
    run: { runId },
  });
  const refused = await call("draft_campaign", { siteId, url: "ftp://news.example/" });
  expect(refused).toMatchObject({ isError: true, json: { code: "validation_failed", faults: [{ path: "/url" }] } });
  expect(await call("draft_campaign", { siteId: "no id", url })).toMatchObject({ isError: true });
});

test("a draft repeated with its key after a lost answer is the same draft", async () => {
  const { siteId, tenantId } = fixture.publisher;
  const draft = { siteId, url: newspaper.publish("The ferry stops"), title: "Ferry stops" };
  const first = (await call("draft_campaign", { ...draft, idempotencyKey: "ferry-1" })).json.campaign;
  const repeated = await Promise.all([1, 2].map(() => call("draft_campaign", { ...draft, idempotencyKey: "ferry-1" })));
  expect(first.duplicate).toBe(false);
  for (const { json } of repeated) {
    expect(json.campaign).toMatchObject({ campaignId: first.campaignId, duplicate: true });
  }
  const other = await call("draft_campaign", { ...draft, title: "Ferry sails", idempotencyKey: "ferry-1" });
  expect(other).toMatchObject({ isError: true, json: { code: "idempotency_key_reused" } });
  const second = (await call("draft_campaign", { ...draft, idempotencyKey: "ferry-2" })).json.campaign;
  expect(second.campaignId).not.toBe(first.campaignId);
  expect(await call("draft_campaign", { ...draft, idempotencyKey: "two words" })).toMatchObject({ isError: true });

  const cms = await fixture.api.call("POST", `/v1/tenants/${tenantId}/campaigns`, {
    key,
    headers: { "idempotency-key": "ferry-1" },
    body: { siteId, url: draft.url, title: "The CMS's own" },
  });
  expect(cms).toMatchObject({ status: 201, body: { title: "The CMS's own", duplicate: false } });
});

test("a key that may send, or of which the service says nothing, is refused at the start", async () => {
  const starts = async (values: Record<string, string>) => {
    const server = spawnProcess(["mcp"], values);
    return { code: await server.ended, output: server.output() };
  };
  const both = await Promise.all([
    starts(settings(await createKey())),
    starts({ ...settings(key), PRESSBELL_KEY: "pbk_unknown" }),
    starts({ PRESSBELL_KEY_FILE: "/no/such/file" }),
  ]);
  expect(both.map(({ code }) => code)).toEqual([1, 1, 1]);
  expect(both[0]!.output).toContain("This API key may send. Create one for the agent");
  expect(both[1]!.output).toContain("What this API key may do cannot be read from the service");
  expect(both[2]!.output).toMatch(/PRESSBELL_KEY_FILE cannot be read: ENOENT\nPRESSBELL_URL must be set\nTENANT_ID/);
});
