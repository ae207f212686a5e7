import { createHmac } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { startProxy } from "../client/fixture.ts";
import { type ConformanceFixture, openConformanceFixture } from "../conformance/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { type ServiceProcess, spawnProcess } from "../fixtures/spawn-process.ts";
import { ghostPayload } from "./payloads.ts";

const main = fileURLToPath(new URL("../../bridge/main.ts", import.meta.url));
const ghostSecret = "a secret of Ghost";
const token = "a-token-of-24-characters";

type Bridge = ServiceProcess & { url: string; post(body: unknown, options?: PostOptions): Promise<Answer> };
type PostOptions = { path?: string; headers?: Record<string, string> };
type Answer = { status: number; body: Record<string, unknown> };

let fixture: ConformanceFixture;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let folder: string;
let posts = 0;
beforeAll(async () => {
  fixture = await openConformanceFixture();
  proxy = await startProxy(fixture.api.url);
  folder = await mkdtemp(join(tmpdir(), "pressbell-bridge-"));
  afterFile(() => rm(folder, { recursive: true }));
});
beforeEach(() => {
  proxy.faults.length = 0;
});

/** Starts the bridge in a process of its own, until the test ends. It has a new journal, unless `settings` name one. */
async function startBridge(settings: Record<string, string> = {}): Promise<Bridge> {
  const { publisher } = fixture;
  const bridge = spawnProcess(
    [],
    {
      PRESSBELL_URL: proxy.url,
      PRESSBELL_KEY: publisher.apiKey,
      TENANT_ID: publisher.tenantId,
      SITE_ID: publisher.siteId,
      PORT: "0",
      HOOK_TOKEN: token,
      JOURNAL_FILE: join(folder, `journal-${++posts}`),
      ...settings,
    },
    main,
  );
  // The bridge is killed, because a bridge that still waits for a page would use up the faults of the next test.
  onTestFinished(async () => {
    bridge.process.kill("SIGKILL");
    await bridge.ended;
  });
  const [, url] = await bridge.printed(/listens on (http:\/\/127\.0\.0\.1:\d+)/);
  const post = async (body: unknown, { path = `/hooks/${token}`, headers = {} }: PostOptions = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(url + path, { method: "POST", body: text, headers });
    return { status: answer.status, body: (await answer.json()) as Answer["body"] };
  };
  return { ...bridge, url: url!, post };
}

const newPost = (rest: Partial<Parameters<typeof ghostPayload>[0]> = {}) =>
  ghostPayload({ id: `post-${++posts}`, url: fixture.story(), ...rest });
const idOf = (payload: ReturnType<typeof ghostPayload>) => payload.post.current.id;
async function campaignsOf(id: string) {
  const path = `/v1/tenants/${fixture.publisher.tenantId}/campaigns?externalId=bridge:${id}`;
  return (await fixture.call("GET", path)).body.data;
}

test("a post is sent once, though it is published again, changed, and posted many times at once", async () => {
  const bridge = await startBridge();
  const payload = newPost({ title: "The first title" });
  const answers = await Promise.all(Array.from({ length: 5 }, () => bridge.post(payload)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(202));
  await bridge.printed(new RegExp(`post ${idOf(payload)} sent`));
  const changed = newPost({ id: idOf(payload), title: "The second title" });
  expect(await bridge.post(changed)).toMatchObject({ status: 202 });
  await bridge.printed(new RegExp(`post ${idOf(payload)} skipped: its campaign .* is sent`));
  expect(await campaignsOf(idOf(payload))).toMatchObject([{ title: "The first title", status: "sent" }]);
  expect(bridge.output().match(new RegExp(`post ${idOf(payload)} sent`, "g"))).toHaveLength(1);
});

test("lost answers, a refusal that passes and a kill lose no post, and send none twice", async () => {
  const JOURNAL_FILE = join(folder, "journal-of-a-crash");
  const first = await startBridge({ JOURNAL_FILE });
  const payload = newPost();
  // There are enough faults for every try until the kill, even if the kill comes late.
  proxy.faults.push(...Array(20).fill({ status: 403, body: '{"code":"dpa_required","message":"Accept it."}' }));
  expect(await first.post(payload)).toMatchObject({ status: 202 });
  await first.printed(new RegExp(`post ${idOf(payload)} not yet sent: dpa_required`));
  first.process.kill("SIGKILL");
  await first.ended;
  proxy.faults.length = 0;
  await appendFile(JOURNAL_FILE, '{"add":{"id":"a line that is cut o');

  const second = await startBridge({ JOURNAL_FILE });
  await second.printed(new RegExp(`post ${idOf(payload)} sent`));
  await eventually(async () => (await readFile(JOURNAL_FILE, "utf8")).includes(`{"end":"${idOf(payload)}"}`));
  second.process.kill("SIGTERM");
  expect(await second.ended).toBe(0);
  expect(await campaignsOf(idOf(payload))).toMatchObject([{ status: "sent" }]);

  const third = await startBridge({ JOURNAL_FILE });
  const later = newPost();
  proxy.faults.push("dropAnswer", "loseAnswer", "dropAnswer", "loseAnswer");
  await third.post(later);
  await third.printed(new RegExp(`post ${idOf(later)} sent`));
  expect(third.output()).not.toContain(idOf(payload));
  expect(await campaignsOf(idOf(later))).toMatchObject([{ status: "sent" }]);
});

test("a rejected post is not sent, and the log says why; a missing page is waited for", async () => {
  const bridge = await startBridge();
  const rejected = newPost({ url: fixture.rejectedStory() });
  await bridge.post(rejected);
  await bridge.printed(new RegExp(`post ${idOf(rejected)} skipped: .*index`));
  const missing = newPost({ url: `${new URL(fixture.story()).origin}/not-built-yet` });
  await bridge.post(missing);
  await bridge.printed(new RegExp(`post ${idOf(missing)} not yet sent: `));
  expect(await campaignsOf(idOf(missing))).toEqual([]);
  const impatient = await startBridge({ GIVE_UP_MINUTES: "0" });
  const late = newPost({ url: `${new URL(fixture.story()).origin}/never-built` });
  await impatient.post(late);
  await impatient.printed(new RegExp(`post ${idOf(late)} given up: `));
});

test("a post whose page was gone when its campaign was created is sent once the page is there", async () => {
  const payload = newPost();
  const { siteId, tenantId } = fixture.publisher;
  const body = { siteId, url: `${new URL(fixture.story()).origin}/gone`, externalId: `bridge:${idOf(payload)}` };
  const created = await fixture.call("POST", `/v1/tenants/${tenantId}/campaigns`, { body });
  expect(created).toMatchObject({ status: 201, body: { status: "cancelled" } });
  const bridge = await startBridge();
  await bridge.post(payload);
  await bridge.printed(new RegExp(`post ${idOf(payload)} sent`));
  expect(await campaignsOf(idOf(payload))).toMatchObject([{ status: "sent" }, { status: "cancelled" }]);
});

test.each([
  ["404 in place of the service", { status: 404, body: "404 page not found" }],
  ["with a page of its own", { status: 200, body: "<title>Back soon</title>" }],
])("a proxy that answers %s loses no post", async (_, answer) => {
  const bridge = await startBridge();
  const payload = newPost();
  proxy.faults.push(answer);
  await bridge.post(payload);
  const [, outcome] = await bridge.printed(
    new RegExp(`post ${idOf(payload)} (refused|not yet sent): unexpected_answer`),
  );
  expect(outcome).toBe("not yet sent");
  await bridge.printed(new RegExp(`post ${idOf(payload)} sent`));
});

test("a post that is withdrawn while sending is paused is not sent, though its draft is there", async () => {
  const { app, publisher } = fixture;
  await changeTenant(app, publisher.actor, { paused: true });
  const bridge = await startBridge();
  const payload = newPost();
  await bridge.post(payload);
  await bridge.printed(new RegExp(`post ${idOf(payload)} not yet sent: send_paused`));
  fixture.withdraw(payload.post.current.url);
  await changeTenant(app, publisher.actor, { paused: false });
  await bridge.printed(new RegExp(`post ${idOf(payload)} (sent|not yet sent: .*404)`));
  expect(await campaignsOf(idOf(payload))).toMatchObject([{ status: "draft" }]);
});

test("only the CMS may post: a wrong token is 404, a wrong or missing signature of Ghost 401", async () => {
  const bridge = await startBridge({ GHOST_SECRET: ghostSecret });
  const body = JSON.stringify(newPost());
  const time = String(Date.now());
  const sign = (secret: string, signed = body) => ({
    "x-ghost-signature": `sha256=${createHmac("sha256", secret)
      .update(signed + time)
      .digest("hex")}, t=${time}`,
  });
  expect(await bridge.post(body, { path: "/hooks/another-token-of-24-chars" })).toMatchObject({ status: 404 });
  expect(await bridge.post(body, { path: "/hooks", headers: sign(ghostSecret) })).toMatchObject({ status: 404 });
  for (const headers of [
    {},
    sign("another secret"),
    sign(ghostSecret, `${body} `),
    { "x-ghost-signature": "sha256=, t=" },
  ]) {
    expect(await bridge.post(body, { headers: headers as Record<string, string> })).toMatchObject({ status: 401 });
  }
  expect(await bridge.post(body, { headers: sign(ghostSecret) })).toMatchObject({ status: 202 });
});

test("a body that cannot be sent is a 4xx with a cure; other events send nothing", async () => {
  const bridge = await startBridge();
  expect(await bridge.post("{")).toMatchObject({ status: 400 });
  expect(await bridge.post("[1]")).toMatchObject({ status: 400 });
  expect(await bridge.post("x".repeat(6 * 1024 * 1024))).toMatchObject({ status: 413 });
  const noUrl = await bridge.post(newPost({ url: "http://news.example/plain" }));
  expect(noUrl).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining("/post/current/url must be an https") },
  });
  expect(await bridge.post(newPost({ status: "sent" }))).toMatchObject({ status: 200 });
  expect(await fetch(`${bridge.url}/hooks/${token}`).then(({ status }) => status)).toBe(405);
  expect(await fetch(`${bridge.url}/healthz`).then((answer) => answer.json())).toEqual({ pending: 0 });
});

test("another CMS is mapped by a file: an address made of a slug, and tags that become topics", async () => {
  const { app, publisher } = fixture;
  const topic = await addTopic(app, operatorOf(publisher.tenantId), { siteId: publisher.siteId, name: "Sport" });
  const MAPPING_FILE = join(folder, "strapi.json");
  const { origin } = new URL(fixture.story());
  const mapping = {
    id: "/entry/documentId",
    url: `${origin}/news/{/entry/slug}`,
    title: "/entry/title",
    tags: "/entry/tags/*/name",
    only: { "/event": "entry.publish", "/model": "article" },
    topics: { sport: topic.topicId },
    requireTopic: true,
  };
  await writeFile(MAPPING_FILE, JSON.stringify(mapping));
  const bridge = await startBridge({ MAPPING_FILE });
  const entry = { id: 1, documentId: "doc-1", slug: "bridge/opens", title: "Bridge", tags: [{ name: "sport" }] };
  const strapi = { event: "entry.publish", model: "article", entry };
  expect(await bridge.post({ ...strapi, event: "entry.update" })).toMatchObject({ status: 200 });
  expect(await bridge.post({ ...strapi, entry: { ...entry, tags: [] } })).toMatchObject({ status: 200 });
  expect(await bridge.post(strapi)).toMatchObject({ status: 202 });
  await bridge.printed(/post doc-1 sent/);
  const [campaign] = await campaignsOf("doc-1");
  expect(campaign).toMatchObject({ url: `${origin}/news/bridge%2Fopens`, topicIds: [topic.topicId], title: "Bridge" });
});

test("wrong settings end the start with all faults and no secrets; files may hold secrets", async () => {
  const mappingFile = join(folder, "wrong.json");
  await writeFile(mappingFile, '{"id":"/id","link":"/url"}');
  const settings = { PRESSBELL_KEY: "pbk_secret", HOOK_TOKEN: "short", MAPPING_FILE: mappingFile, PORT: "no" };
  const refused = spawnProcess([], settings, main);
  expect(await refused.ended).toBe(1);
  const faults = ["PRESSBELL_URL must", "HOOK_TOKEN must", "PORT must", "link is not known; url is required"];
  for (const fault of faults) expect(refused.output()).toContain(fault);
  expect(refused.output()).not.toMatch(/pbk_secret|short/);

  const keyFile = join(folder, "key");
  await writeFile(keyFile, `${fixture.publisher.apiKey}\n`);
  const bridge = await startBridge({ PRESSBELL_KEY: "", PRESSBELL_KEY_FILE: keyFile });
  const payload = newPost();
  await bridge.post(payload);
  await bridge.printed(new RegExp(`post ${idOf(payload)} sent`));
});
