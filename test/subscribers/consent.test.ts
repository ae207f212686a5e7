import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { loadSdkScripts } from "../../src/http/sdk-scripts.ts";
import { readConsents } from "../../src/subscribers/consent/read-consents.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { maxPromptVersions } from "../../src/tenants/sites/prompt-versions.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;
let reader: BrowserSubscription;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  publisher = await createPublisher(app);
  client = createReaderClient(api, publisher.siteId);
  reader = createSubscriptions(1)[0]!;
});

const consentOf = (of = reader) =>
  row(
    sql<{
      consent: string | null;
      dated: boolean;
      texts: object | null;
    }>`select consent, consented_at is not null as dated, texts
      from subscribers s left join consent_prompts c on c.site_id = s.site_id and c.version = s.consent_version
      where s.site_id = ${publisher.siteId} and endpoint = ${of.endpoint}`,
    app.db,
  );

const codeOf = async ({ endpoint }: BrowserSubscription) =>
  (await row(
    sql<{ code: string }>`select c.code from subscribers s join consent_prompts c on c.site_id = s.site_id
      and c.version = s.consent_version where s.endpoint = ${endpoint}`,
    app.db,
  ))!.code;

const hashOf = (script: string) => createHash("sha256").update(script).digest("hex");

const versionNow = async () =>
  (await api.call("GET", `/sdk/sites/${publisher.siteId}/config?tenant=${publisher.tenantId}`)).body.prompt.version;

test("a yes to the prompt is recorded with its time and the texts that the reader saw", async () => {
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt: { title: "Goals at once?" } });
  const version = await versionNow();
  expect((await client.subscribe(reader, { consent: version })).status).toBe(201);
  const said = { consent: "prompt", dated: true, texts: { title: "Goals at once?", accept: "Yes, please" } };
  expect(await consentOf()).toMatchObject(said);
  // The recorded texts stay when the site changes its texts, and when the browser confirms its subscription.
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt: { title: "Something else?" } });
  expect(await versionNow()).not.toBe(version);
  await client.subscribe(reader);
  expect(await consentOf()).toMatchObject(said);
});

test("a yes to a prompt with topics is recorded with the topics that it offered", async () => {
  const { siteId, actor } = publisher;
  const { topicId } = await addTopic(app, actor, { siteId, name: "Sport" });
  const without = await versionNow();
  await changeSite(app, actor, { siteId, prompt: { topicIds: [topicId], topicsLabel: "Also tell me about" } });
  const version = await versionNow();
  expect(version).not.toBe(without);
  await client.subscribe(reader, { consent: version, topicIds: [topicId] });
  expect(await consentOf()).toMatchObject({ texts: { topicsLabel: "Also tell me about", topics: ["Sport"] } });
});

test("a yes in another language of the prompt is recorded with the texts in that language", async () => {
  const { siteId, tenantId, actor } = publisher;
  const languages = { de: { title: "Eilmeldungen sofort?" }, fr: { title: "Alertes ?" } };
  await changeSite(app, actor, { siteId, prompt: { languages } });
  const config = async (lang: string) =>
    (await api.call("GET", `/sdk/sites/${siteId}/config?tenant=${tenantId}&lang=${lang}`)).body.prompt;
  expect(await config("de-CH")).toMatchObject({ title: "Eilmeldungen sofort?", accept: "Yes, please" });
  expect(await config("it")).toEqual(await config(""));
  const { version } = await config("de");
  expect(version).not.toBe((await config("fr")).version);
  await client.subscribe(reader, { consent: version });
  expect(await consentOf()).toMatchObject({ texts: { title: "Eilmeldungen sofort?", accept: "Yes, please" } });
});

test("texts that a page got before the site changed them are found; no page invents any", async () => {
  const version = await versionNow();
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt: { title: "Something else?" } });
  const late = createSubscriptions(1)[0]!;
  await client.subscribe(late, { consent: version });
  expect(await consentOf(late)).toMatchObject({ consent: "prompt", texts: { accept: "Yes, please" } });
  await client.subscribe(reader, { consent: "0123456789abcdef" });
  expect(await consentOf()).toEqual({ consent: "prompt", dated: true, texts: null });
});

test("a program with another prompt gives another version, and knows that of the former one", async () => {
  const version = await versionNow();
  const script = "export const showSoftPrompt = 1;";
  const later = await serve(app, { loadScripts: async () => ({ ...(await loadSdkScripts()), prompt: script }) });
  const path = `/sdk/sites/${publisher.siteId}/config?tenant=${publisher.tenantId}`;
  const { prompt } = (await later.call("GET", path)).body;
  expect(prompt.version).not.toBe(version);
  // The page of the first reader was loaded before the upgrade.
  const [before, after] = createSubscriptions(2);
  await createReaderClient(later, publisher.siteId).subscribe(before!, { consent: version });
  await client.subscribe(after!, { consent: prompt.version });
  expect(await codeOf(before!)).toBe(hashOf(await (await fetch(`${api.url}/sdk/prompt.js`)).text()));
  expect(await codeOf(after!)).toBe(hashOf(script));
});

test("the version covers the link to choose and the box for all topics where a reader sees them", async () => {
  const { siteId, actor } = publisher;
  const versions = [await versionNow()];
  const change = async (changed: object) => {
    await changeSite(app, actor, { siteId, ...changed });
    versions.push(await versionNow());
  };
  await change({ prompt: { choose: "Choose here", allTopics: "Everything" } });
  expect(versions[1]).toBe(versions[0]);
  await change({ preferencesUrl: "https://news.example/choose" });
  const topics = [
    await addTopic(app, actor, { siteId, name: "Sport" }),
    await addTopic(app, actor, { siteId, name: "Art" }),
  ];
  await change({ prompt: { topicIds: topics.map(({ topicId }) => topicId) } });
  await change({ prompt: { allTopics: "All" } });
  expect(new Set(versions)).toHaveProperty("size", 4);
  await client.subscribe(reader, { consent: versions.at(-1)! });
  expect(await consentOf()).toMatchObject({
    texts: { choose: "Choose here", topics: ["Sport", "Art"], allTopics: "All" },
  });
});

test("the version covers the rule and the comparison, so that the proof says what was shown", async () => {
  const { siteId, tenantId, actor } = publisher;
  const path = `/sdk/sites/${siteId}/config?tenant=${tenantId}`;
  const before = await versionNow();
  await changeSite(app, actor, { siteId, prompt: { fromPage: 4 } });
  const rule = await versionNow();
  await changeSite(app, actor, { siteId, prompt: { other: { fromPage: 1 } } });
  const { version, compared } = (await api.call("GET", path)).body.prompt;
  const sides: { version: string }[] = compared.prompts;
  expect(sides[0]!.version).toBe(version);
  expect(new Set([before, rule, ...sides.map((side) => side.version)])).toHaveProperty("size", 4);
  await client.subscribe(reader, { consent: sides[1]!.version });
  const { consents } = await readConsents(app, actor, { siteId, endpoint: reader.endpoint });
  expect(consents).toMatchObject([{ rule: { fromPage: 1 }, isOther: true, comparedSince: expect.any(String) }]);
});

test("a site with the most versions gives its page further ones, and records a yes without one", async () => {
  await sql`insert into consent_prompts (site_id, version, texts, code, rule, is_other)
    select ${publisher.siteId}, lpad(to_hex(n), 16, '0'), '{}', repeat('0', 64), '{}', false
    from generate_series(1, ${maxPromptVersions}::int) n`.execute(app.db);
  await client.subscribe(reader, { consent: await versionNow() });
  expect(await consentOf()).toEqual({ consent: "prompt", dated: true, texts: null });
});

test("consent tells button, migration, test link and import apart, and may be none", async () => {
  const [page, former, device, imported] = createSubscriptions(4);
  const { siteId, actor } = publisher;
  const { link } = await createTestLink(app, actor, { siteId, label: "Newsroom" });
  await client.subscribe(page!, { consent: "page" });
  await client.subscribe(former!, { migrated: true });
  await client.subscribe(device!, { testToken: new URL(link).hash.replace("#pressbell-test=", "") });
  await subscribe(app, siteId, [imported!]);
  await client.subscribe(reader);
  const all = await Promise.all([page, former, device, imported, reader].map((one) => consentOf(one)));
  expect(all.map((one) => one?.consent)).toEqual(["page", "migrated", "test", "imported", null]);
  expect(all[3]).toMatchObject({ dated: false });
});

test("a consent of another shape is refused", async () => {
  expect(await client.subscribe(reader, { consent: "yes" })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/consent", message: 'must be "page" or the version of the prompt' }] },
  });
});
