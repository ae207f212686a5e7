import { type KyselyPlugin, sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient, siteOrigin } from "../fixtures/reader-client.ts";
import { changeRateLimits } from "../fixtures/rows/people.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let site: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  site = `/sdk/sites/${publisher.siteId}`;
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
});

/** Returns `app` behind one proxy, and a function that returns how often it has read the addresses of sites so far. */
function countingSiteReads(of: App): { app: App; reads(): number } {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes("url, origins from sites")) count++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const config = { ...of.config, TRUST_PROXY: 1 };
  return { app: { ...of, config, db: of.db.withPlugin(plugin) }, reads: () => count };
}

const subscription = () => {
  const { endpoint, keys } = createSubscriptions(1)[0]!;
  return { subscription: { endpoint, keys } };
};
const event = { events: [{ token: "x".repeat(43), kind: "displayed" }] };
const corsOf = ({ headers }: Answer) => headers.get("access-control-allow-origin");

describe("the scripts", () => {
  test("can be loaded from another origin: type, nosniff, and a cross-origin resource policy", async () => {
    for (const path of ["/sdk/pressbell.js", `${site}/worker.js`]) {
      const answer = await fetch(api.url + path);
      const headers = Object.fromEntries(answer.headers);
      expect(answer.status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "cross-origin",
      });
      expect((await answer.text()).length).toBeGreaterThan(0);
    }
  });

  test("are not sent again: a known ETag gets 304 without a body", async () => {
    for (const [path, cache] of [
      ["/sdk/pressbell.js", "public, max-age=300"],
      [`${site}/worker.js`, "public, max-age=0, must-revalidate"],
    ]) {
      const first = await fetch(api.url + path);
      const etag = first.headers.get("etag")!;
      const again = await fetch(api.url + path, { headers: { "if-none-match": `"other", ${etag}` } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      expect(again.headers.get("cache-control")).toBe(cache);
      expect((await fetch(api.url + path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });

  test("and the configuration are compressed by brotli or gzip, as the browser accepts", async () => {
    const configuration = `${site}/config?tenant=${publisher.tenantId}`;
    for (const path of ["/sdk/pressbell.js", `${site}/worker.js`, configuration]) {
      const load = (accepted: string) => fetch(api.url + path, { headers: { "accept-encoding": accepted } });
      const bare = await load("br;q=0, gzip;q=0");
      expect(bare.headers.get("content-encoding")).toBe(null);
      const text = await bare.text();
      const codings = { "gzip, deflate, br, zstd": "br", "br, gzip": "br", gzip: "gzip", "br;q=0.0, gzip": "gzip" };
      for (const [accepted, coding] of Object.entries(codings)) {
        const packed = await load(accepted);
        expect([packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([
          coding,
          "Accept-Encoding, Origin",
        ]);
        expect(packed.headers.get("content-type")).toBe(bare.headers.get("content-type"));
        expect(await packed.text()).toBe(text);
      }
    }
  });

  test("the worker begins with the facts of its site", async () => {
    const text = await (await fetch(`${api.url}${site}/worker.js`)).text();
    const [, facts] = /^self\.pressbellSite=(\{.*\});\n/.exec(text)!;
    const { tenantId, siteId, vapidPublicKey } = publisher;
    expect(JSON.parse(facts!)).toEqual({ base: api.url, tenantId, siteId, vapidPublicKey });
  });

  test("the worker of an unknown site is 404", async () => {
    for (const id of [newId(), "x", "%00"]) {
      expect((await api.call("GET", `/sdk/sites/${id}/worker.js`)).status).toBe(404);
    }
  });

  test("the worker calls PUBLIC_URL, with its path and without a trailing slash", async () => {
    const behindProxy = await serve({
      ...app,
      config: { ...app.config, PUBLIC_URL: "https://push.example.org/bell/" },
    });
    const text = await (await fetch(`${behindProxy.url}${site}/worker.js`)).text();
    expect(text).toContain('"base":"https://push.example.org/bell"');
  });
});

/** The prompt of a site whose settings are unchanged. */
const defaultPrompt = {
  mode: "soft",
  consent: null,
  repeatDays: 30,
  fromPage: 2,
  fromVisit: 1,
  delaySeconds: 5,
  scrollPercent: 0,
  onlyPaths: [],
  neverPaths: [],
  title: expect.any(String),
  body: expect.any(String),
  install: expect.any(String),
  accept: expect.any(String),
  later: expect.any(String),
  choose: expect.any(String),
  topics: [],
  topicsLabel: expect.any(String),
  allTopics: expect.any(String),
  untilPage: 2,
  untilVisit: 1,
  compared: null,
  version: expect.stringMatching(/^[0-9a-f]{16}$/),
};

describe("the configuration", () => {
  const config = (query: string, origin?: string) =>
    api.call("GET", `${site}/config${query}`, origin === undefined ? {} : { headers: { origin } });

  test("has exactly the fields that a page needs", async () => {
    const own = await createPublisher(app);
    const { topicId } = await addTopic(app, own.actor, { siteId: own.siteId, name: "Sport" });
    const { tenantId, siteId, vapidPublicKey } = own;
    const answer = await api.call("GET", `/sdk/sites/${siteId}/config?tenant=${tenantId.toUpperCase()}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(answer.body).toEqual({
      tenantId,
      siteId,
      name: "Site",
      vapidPublicKey,
      linkMode: "token",
      preferencesUrl: null,
      facts: [],
      formerWorkers: null,
      topics: [{ topicId, name: "Sport" }],
      prompt: defaultPrompt,
    });
  });

  test("has the settings of the site's prompt, and null restores a default", async () => {
    const own = await createPublisher(app);
    const actor = operatorOf(own.tenantId);
    const path = `/sdk/sites/${own.siteId}/config?tenant=${own.tenantId}`;
    const before = (await api.call("GET", path)).body.prompt;
    const prompt = { mode: "off", delaySeconds: 0, title: "Eilmeldungen?" } as const;
    await changeSite(app, actor, { siteId: own.siteId, prompt });
    const changed = (await api.call("GET", path)).body.prompt;
    expect(changed).toEqual({ ...before, ...prompt, version: changed.version });
    expect(changed.version).not.toBe(before.version);
    await changeSite(app, actor, { siteId: own.siteId, prompt: { title: null, mode: null, delaySeconds: null } });
    expect((await api.call("GET", path)).body.prompt).toEqual(before);
  });

  test("is 404 for a tenant and site that do not belong together", async () => {
    const other = await createPublisher(app);
    const answers = [
      await config(`?tenant=${other.tenantId}`),
      await config(`?tenant=${newId()}`),
      await config(""),
      await config("?tenant=a&tenant=b"),
      await api.call("GET", `/sdk/sites/${newId()}/config?tenant=${publisher.tenantId}`),
      await api.call("GET", `/sdk/sites/x/config?tenant=${publisher.tenantId}`),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, "not_found"]);
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
  });

  test("only pages of the site may read it (CORS)", async () => {
    const query = `?tenant=${publisher.tenantId}`;
    const own = await config(query, siteOrigin);
    expect([own.status, corsOf(own), own.headers.get("vary")]).toEqual([200, siteOrigin, "Accept-Encoding, Origin"]);
    for (const origin of ["https://evil.example", "null", "https://news.example.evil.example", "http://news.example"]) {
      const foreign = await config(query, origin);
      expect([foreign.status, corsOf(foreign), foreign.headers.get("vary")]).toEqual([
        200,
        null,
        "Accept-Encoding, Origin",
      ]);
    }
  });
});

test("the configuration has the topics of the prompt in the site's order, without retired ones", async () => {
  const { tenantId, siteId, actor } = await createPublisher(app);
  const topicIds: string[] = [];
  for (const name of ["Sport", "Local", "Culture"]) {
    topicIds.unshift((await addTopic(app, actor, { siteId, name })).topicId);
  }
  await changeSite(app, actor, { siteId, prompt: { topicIds } });
  const offered = async () =>
    (await api.call("GET", `/sdk/sites/${siteId}/config?tenant=${tenantId}`)).body.prompt.topics;
  expect((await offered()).map(({ name }: { name: string }) => name)).toEqual(["Culture", "Local", "Sport"]);
  await changeTopic(app, actor, { siteId, topicId: topicIds[1]!, body: { retired: true } });
  // The form sends the same choice again with another change.
  await changeSite(app, actor, { siteId, prompt: { topicIds, title: "News?" } });
  expect((await offered()).map(({ name }: { name: string }) => name)).toEqual(["Culture", "Sport"]);
});

describe("writes", () => {
  const foreign = ["https://evil.example", "null", "http://news.example", "https://news.example:8443", undefined];

  test.each(foreign)("from the origin %s are refused and change nothing", async (origin) => {
    const headers = (origin === undefined ? {} : { origin }) as Record<string, string>;
    for (const path of ["subscriptions", "unsubscribe"]) {
      const answer = await api.call("POST", `${site}/${path}`, { body: subscription(), headers });
      expect(answer).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
      expect(corsOf(answer)).toBe(null);
    }
    const { rows } = await sql`select 1 from subscribers where site_id = ${publisher.siteId}`.execute(app.db);
    expect(rows).toEqual([]);
  });

  test("are accepted from a further origin as long as the site has it", async () => {
    const own = await createPublisher(app);
    const origin = "https://m.news.example";
    const reader = createReaderClient(api, own.siteId, origin);
    const actor = operatorOf(own.tenantId);
    expect((await reader.post("subscriptions", subscription())).status).toBe(403);
    await changeSite(app, actor, { siteId: own.siteId, origins: [`${origin}/`] });
    const taken = await reader.post("subscriptions", subscription());
    expect([taken.status, corsOf(taken)]).toEqual([201, origin]);
    await changeSite(app, actor, { siteId: own.siteId, origins: [] });
    expect((await reader.post("subscriptions", subscription())).status).toBe(403);
  });

  test("a page may read why it was refused", async () => {
    const answer = await createReaderClient(api, publisher.siteId).post("subscriptions", {});
    expect([answer.status, corsOf(answer)]).toEqual([400, siteOrigin]);
  });

  test("on an unknown site are 404", async () => {
    expect((await createReaderClient(api, newId()).post("subscriptions", subscription())).status).toBe(404);
    expect((await createReaderClient(api, "x").post("unsubscribe", {})).status).toBe(404);
  });

  test("accept at most 16 KiB, and only JSON", async () => {
    const headers = { origin: siteOrigin };
    const post = (body: string, more = {}) =>
      api.call("POST", `${site}/subscriptions`, { body, headers: { ...headers, ...more } });
    const text = JSON.stringify(subscription());
    expect((await post(text.padEnd(16 * 1024))).status).toBe(201);
    expect(await post(text.padEnd(16 * 1024 + 1))).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
    expect(await post(text, { "content-type": "text/plain" })).toMatchObject({ status: 415 });
    expect(await post("{")).toMatchObject({ status: 400, body: { code: "malformed_json" } });
    expect(await post("")).toMatchObject({ status: 400, body: { code: "malformed_json" } });
    expect(await post('{"subscription":{"endpoint":"\\u0000"}}')).toMatchObject({ status: 400 });
  });
});

describe("a preflight", () => {
  const ask = (path: string, origin?: string) =>
    api.call("OPTIONS", path, {
      headers: {
        ...(origin === undefined ? {} : { origin }),
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });

  test("allows pages of the site to send JSON", async () => {
    for (const path of [`${site}/subscriptions`, `${site}/unsubscribe`, "/sdk/events"]) {
      const answer = await ask(path, siteOrigin);
      expect(answer.status).toBe(204);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "access-control-allow-origin": siteOrigin,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "content-type",
        vary: "Origin",
      });
    }
  });

  test("of a page of another origin is refused", async () => {
    for (const path of [`${site}/subscriptions`, "/sdk/events"]) {
      const answer = await ask(path, "https://evil.example");
      expect([answer.status, corsOf(answer)]).toEqual([403, null]);
    }
  });
});

describe("events", () => {
  const send = (body: unknown, headers: Record<string, string> = { origin: siteOrigin }) =>
    api.call("POST", "/sdk/events", { body, headers });

  test("are 204 for any token, so that the answer does not reveal valid ones", async () => {
    expect(await send(event)).toMatchObject({ status: 204, body: undefined });
    expect(await send(event, {})).toMatchObject({ status: 204 });
  });

  test("may be sent as plain text, as beacons are", async () => {
    for (const type of ["text/plain", "text/plain;charset=UTF-8", "application/json; charset=utf-8"]) {
      expect(await send(event, { origin: siteOrigin, "content-type": type })).toMatchObject({ status: 204 });
    }
    expect((await send(event, { origin: siteOrigin, "content-type": "text/html" })).status).toBe(415);
    expect((await send("hello", { origin: siteOrigin, "content-type": "text/plain" })).status).toBe(400);
  });

  test("from a page of an unknown origin are refused", async () => {
    expect(await send(event, { origin: "https://evil.example" })).toMatchObject({
      status: 403,
      body: { code: "origin_not_allowed" },
    });
  });

  test("of another shape are 400 with their faults", async () => {
    const many = Array.from({ length: 51 }, () => event.events[0]);
    for (const [body, path] of [
      [{ events: [] }, "/events"],
      [{ events: many }, "/events"],
      [{ events: [{ token: "x", kind: "unsubscribed" }] }, "/events/0/kind"],
      [{ events: [{ kind: "clicked" }] }, "/events/0/token"],
      [[], ""],
    ] as const) {
      expect(await send(body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    }
  });
});

describe("limits by address", () => {
  test("subscribing and unsubscribing are 120 a minute, with Retry-After, no address stored", async () => {
    const reader = createReaderClient(api, publisher.siteId);
    const answers: Answer[] = [];
    // The requests are sent in parts. On a busy machine, some of a larger number would be refused within their wait
    // budget (wait-budget.ts).
    for (let from = 0; from < 121; from += 11) {
      const part = Array.from({ length: 11 }, () => reader.post("unsubscribe", { endpoint: "x", auth: "x" }));
      answers.push(...(await Promise.all(part)));
    }
    const refused = answers.filter(({ status }) => status !== 204);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "writes" } });
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(corsOf(refused[0]!)).toBe(siteOrigin);
    const { rows } = await sql<{ bucket: string }>`select bucket from rate_limits`.execute(app.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.bucket).toMatch(/^writes:[\w-]{43}$/);
  });

  test("after 600 refusals a minute the database is not asked again, for this address only", async () => {
    const { app: counting, reads } = countingSiteReads(app);
    // The clock stands still, so the minute does not end, however long 600 requests take here.
    const startedMs = Date.now();
    const own = await serve({ ...counting, now: () => startedMs });
    const post = (address: string, origin: string | undefined, siteId: string) =>
      own.call("POST", `/sdk/sites/${siteId}/subscriptions`, {
        body: subscription(),
        headers: { "x-forwarded-for": address, ...(origin === undefined ? {} : { origin }) },
      });
    const wrong = [
      { origin: "https://evil.example", siteId: publisher.siteId, status: 403 },
      { origin: undefined, siteId: publisher.siteId, status: 403 },
      { origin: siteOrigin, siteId: newId(), status: 404 },
    ];
    for (let i = 0; i < 200; i++) {
      const answers = await Promise.all(wrong.map(({ origin, siteId }) => post("192.0.2.1", origin, siteId)));
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
    }
    const before = reads();
    expect(before).toBe(600);
    for (const { origin, siteId } of wrong) {
      const refused = await post("192.0.2.1", origin, siteId);
      expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "refusals" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const preflight = { origin: "https://evil.example", "x-forwarded-for": "192.0.2.1" };
    expect((await own.call("OPTIONS", `${site}/subscriptions`, { headers: preflight })).status).toBe(429);
    expect(reads()).toBe(before);
    expect((await post("192.0.2.2", siteOrigin, publisher.siteId)).status).toBe(201);
  });

  test("reads are counted separately", async () => {
    await createReaderClient(api, publisher.siteId).post("unsubscribe", {});
    await changeRateLimits(app, {}, { used: 1_000 });
    const answer = await api.call("GET", `${site}/config?tenant=${publisher.tenantId}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("ratelimit-policy")).toBe('"reads";q=600;w=60');
    await changeRateLimits(app, { kind: "reads" }, { used: 600 });
    expect((await api.call("GET", `${site}/config?tenant=${publisher.tenantId}`)).status).toBe(429);
    expect((await api.call("GET", `${site}/worker.js`)).status).toBe(429);
  });
});

test("another method is 405, also with a key", async () => {
  const answer = await api.call("GET", `${site}/subscriptions`, { key: publisher.apiKey });
  expect(answer).toMatchObject({ status: 405 });
  expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
  expect((await api.call("POST", "/sdk/pressbell.js")).status).toBe(405);
});
