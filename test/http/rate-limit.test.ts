import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { countSignIn } from "../../src/access/accounts/sign-in.ts";
import { generateApiKeySecret } from "../../src/access/api-keys/key-secret.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { bucketOf, bucketOfAddress } from "../../src/rate-limits/count-requests.ts";
import { sessionLimit } from "../../src/rate-limits/limits.ts";
import { deleteEndedBuckets, incrementBucket } from "../../src/rate-limits/queries.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRateLimits } from "../fixtures/rows/people.ts";

let app: App;
/** Two servers on one database, like two processes. */
let one: Api;
let other: Api;
const path = `/v1/runs/${newId()}`;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "12", FETCH_RATE_LIMIT_PER_MINUTE: "3", TRUST_PROXY: "1" });
  one = await serve(app);
  other = await serve(app);
});

/** Ends all windows. */
const endWindows = () => changeRateLimits(app, {}, { resetsAt: ago("1 second") });

describe("the limit of a key", () => {
  test("is shared by all processes, is shown in the headers, and refuses the request above it", async () => {
    const { apiKey: key } = await createPublisher(app);
    for (let i = 1; i <= 12; i++) {
      const answer = await (i % 2 === 0 ? one : other).call("GET", path, { key });
      expect(answer.status).toBe(404);
      expect(answer.headers.get("ratelimit-policy")).toBe('"key";q=12;w=60');
      expect(answer.headers.get("ratelimit")).toMatch(new RegExp(`^"key";r=${12 - i};t=(60|[1-5]?\\d)$`));
    }
    const refused = await one.call("GET", path, { key });
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "key" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(30);
    expect(refused.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/);
  });

  test("holds for thirty concurrent requests", async () => {
    const { apiKey: key } = await createPublisher(app);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? one : other).call("GET", path, { key })),
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(12);
  });

  test("is separate for each key, and starts again after its minute", async () => {
    const [first, second] = [await createPublisher(app), await createPublisher(app)];
    for (let i = 0; i < 13; i++) await one.call("GET", path, { key: first.apiKey });
    expect((await one.call("GET", path, { key: first.apiKey })).status).toBe(429);
    expect((await one.call("GET", path, { key: second.apiKey })).status).toBe(404);
    await endWindows();
    const answer = await one.call("GET", path, { key: first.apiKey });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("ratelimit")).toMatch(/^"key";r=11;t=60$/);
  });

  test("is checked before the body, and after a key in a browser", async () => {
    const { apiKey: key } = await createPublisher(app);
    for (let i = 0; i < 13; i++) await one.call("GET", path, { key });
    const headers = { "content-type": "text/plain" };
    expect((await one.call("POST", `${path}/stop`, { key, body: "x", headers })).status).toBe(429);
    expect((await one.call("GET", path, { key, headers: { origin: "https://x.example" } })).status).toBe(403);
  });
});

test("requests that fetch a page have their own limit: preview, and create in url mode", async () => {
  const { apiKey: key, tenantId, siteId } = await createPublisher(app);
  const url = "https://127.0.0.1/a";
  const preview = () => one.call("POST", "/v1/content/preview", { key, body: { url } });
  const create = (body: object) => one.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body });
  const first = await preview();
  expect(first.status).toBe(400);
  expect(first.headers.get("ratelimit-policy")).toBe('"key";q=12;w=60, "fetch";q=3;w=60');
  expect(first.headers.get("ratelimit")).toMatch(/^"key";r=11;t=\d+, "fetch";r=2;t=\d+$/);
  await preview();
  expect((await create({ siteId, url })).headers.get("ratelimit")).toMatch(/"fetch";r=0/);
  expect(await preview()).toMatchObject({ status: 429, body: { limit: "fetch" } });
  expect((await create({ siteId, url })).status).toBe(429);
  const manual = { siteId, mode: "manual", url: "https://news.example", title: "T", body: "B" };
  expect((await create(manual)).status).toBe(201);
});

describe("failed authentication", () => {
  const fail = (from: string, key = generateApiKeySecret()) =>
    one.call("GET", path, { key, headers: { "x-forwarded-for": from } });

  test("is 429 from the 21st on, by address, and a valid key still passes from that address", async () => {
    for (let i = 0; i < 20; i++) expect((await fail("198.51.100.1")).status).toBe(401);
    const refused = await fail("198.51.100.1", "no-key-at-all");
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "address" } });
    expect(refused.headers.get("ratelimit-policy")).toBe('"address";q=20;w=60');
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await fail("198.51.100.2")).status).toBe(401);
    expect((await fail("198.51.100.1", (await createPublisher(app)).apiKey)).status).toBe(404);
  });

  test("does not count requests without a key", async () => {
    const headers = { "x-forwarded-for": "198.51.100.3" };
    for (let i = 0; i < 25; i++) expect((await one.call("GET", path, { headers })).status).toBe(401);
  });

  test("is counted for the address that the trusted proxy added, not for one that the caller sent", async () => {
    for (let i = 0; i < 20; i++) await fail(`10.0.0.${i}, 198.51.100.4`);
    expect((await fail("10.9.9.9, 198.51.100.4")).status).toBe(429);
  });

  test("is counted for the socket's address when no proxy is trusted", async () => {
    const direct = await serve({ ...app, config: { ...app.config, TRUST_PROXY: false } });
    const from = (i: number) =>
      direct.call("GET", path, { key: "x", headers: { "x-forwarded-for": `203.0.113.${i}` } });
    for (let i = 0; i < 20; i++) expect((await from(i)).status).toBe(401);
    expect((await from(99)).status).toBe(429);
  });
});

test("requests to the sign-in are limited by address, before the database is asked", async () => {
  const path = "/dashboard/api/auth/get-session";
  const from = (address: string) => one.call("GET", path, { headers: { "x-forwarded-for": address } });
  const first = await from("198.51.100.9");
  expect([first.status, first.headers.get("ratelimit-policy")]).toEqual([200, '"account_requests";q=600;w=60']);
  for (let i = 0; i < 60; i++) await Promise.all(Array.from({ length: 10 }, () => from("198.51.100.9")));
  const refused = await from("198.51.100.9");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "account_requests" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await from("198.51.100.10")).status).toBe(200);
});

test.each([
  ["an IPv4 address", "192.0.2.1", "192.0.2.1"],
  ["an IPv4 address in IPv6", "::ffff:192.0.2.1", "192.0.2.1"],
  ["an IPv6 address, with its /64,", "2001:db8:1:2:3:4:5:6", bucketOfAddress("2001:db8:1:2::1")],
  ["an address in another notation", "0x7f.1", "unknown"],
  ["a header that is not an address", "x".repeat(10_000), "unknown"],
])("%s is counted in its bucket", (_, address, bucket) => {
  expect(bucketOfAddress(address)).toBe(bucket);
});

test("the database refuses a bucket that is no hash, and so names someone", async () => {
  const named = incrementBucket(app.db, `session:${newId()}`, 60);
  await expect(named).rejects.toThrow(/rate_limits_bucket_check/);
  await incrementBucket(app.db, bucketOf(app, sessionLimit(app), newId()), 60);
});

test("a wrong password for an odd e-mail address counts for no other one", async () => {
  const guess = (email: string, from: string) => countSignIn(app, from, email);
  for (let i = 0; i < 10; i++) await guess("editor@example.org", "198.51.100.20");
  await expect(guess("editor@example.org", "198.51.100.20")).rejects.toMatchObject({ code: "rate_limited" });
  for (let i = 0; i < 10; i++) {
    await guess("198.51.100.21 second@example.org", "203.0.113.20");
    await guess("second@example.org@198.51.100.21", "203.0.113.21");
  }
  await (await guess("second@example.org", "198.51.100.21"))();
});

test("ended buckets are deleted", async () => {
  await endWindows();
  await deleteEndedBuckets(app.db);
  expect((await sql`select * from rate_limits`.execute(app.db)).rows).toEqual([]);
});
