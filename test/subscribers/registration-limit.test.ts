import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { createMailer } from "../../src/egress/smtp.ts";
import { sendDueEmails } from "../../src/mail/email-poller.ts";
import { registrationLimit } from "../../src/rate-limits/limits.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { startMailServer } from "../fixtures/mail-server.ts";
import { createPublisher, createSubscriptions, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeQuotas, changeSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

const server = await startMailServer();
const app = await openTestApp({
  SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  MAIL_FROM: "push@example.org",
  PUBLIC_URL: "https://push.example.org",
  TRUST_PROXY: "true",
});
const service = await serve(app);
/** Returns an API whose calls come from `address`, as the proxy names it. */
const from = (address: () => string): Api => ({
  ...service,
  call: (method, path, options) =>
    service.call(method, path, { ...options, headers: { ...options?.headers, "x-forwarded-for": address() } }),
});
let calls = 0;
/** An API whose calls all come from different addresses, so that only the site's own limit counts. */
const api = from(() => `198.51.${++calls >> 8}.${calls & 255}`);
let publisher: Publisher;
let reader: ReaderClient;
let siteId: string;

beforeEach(async () => {
  await sql`truncate rate_limits, emails`.execute(app.db);
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  reader = createReaderClient(api, siteId);
});

const one = () => createSubscriptions(1)[0]!;
const quota = async () =>
  (await sql<{ quota: number }>`select quota from registration_quotas where site_id = ${siteId}`.execute(app.db))
    .rows[0]?.quota;
/** Sets the quota of the site for the present hour. */
const allow = (perHour: number) =>
  sql`insert into registration_quotas values (${siteId}, ${perHour}, now() + interval '1 hour')
    on conflict (site_id) do update set quota = excluded.quota, valid_until = excluded.valid_until`.execute(app.db);
const ageAll = (minutes: number) => changeSubscribers(app, { siteId }, { createdEarlier: `${minutes} minutes` });
const events = async () =>
  (
    await sql<{ actor: string; event: string; details: unknown }>`select actor, event, details from audit_events
      where site_id = ${siteId} and event like 'registrations.%'`.execute(app.db)
  ).rows;
const queuedEmails = async () => (await sql`select 1 from emails`.execute(app.db)).rows.length;

/** Adds subscribers. They were registered just now, or imported. */
const add = (count: number, registered: boolean) => insertSubscribers(app, siteId, count, { isRegistered: registered });

test("over the hourly limit a new subscriber gets 429 with Retry-After, and is not stored", async () => {
  await allow(2);
  expect((await reader.subscribe(one())).status).toBe(201);
  await ageAll(30);
  expect((await reader.subscribe(one())).status).toBe(201);
  const refused = await reader.subscribe(one());
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "registrations" } });
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(29 * 60);
  expect(wait).toBeLessThanOrEqual(30 * 60);
  expect(refused.headers.get("access-control-allow-origin")).toBe("https://news.example");
  const { rows } = await sql`select 1 from subscribers where site_id = ${siteId}`.execute(app.db);
  expect(rows).toHaveLength(2);
  await ageAll(31);
  expect((await reader.subscribe(one())).status).toBe(201);
});

test("confirmations, renewals, unsubscribing, test devices and other sites are not limited", async () => {
  const known = one();
  await reader.subscribe(known);
  await allow(1);
  expect((await reader.subscribe(known)).status).toBe(200);
  const renewed = one();
  const replaces = { endpoint: known.endpoint, auth: known.keys.auth };
  expect((await reader.subscribe(renewed, { replaces })).status).toBe(201);
  const { link } = await createTestLink(app, publisher.actor, { siteId, label: "Phone" });
  const testToken = new URL(link).hash.replace("#pressbell-test=", "");
  expect((await reader.subscribe(one(), { testToken })).status).toBe(201);
  const other = await createPublisher(app);
  expect((await createReaderClient(api, other.siteId).subscribe(one())).status).toBe(201);
  expect((await reader.subscribe(one())).status).toBe(429);
  expect((await reader.unsubscribe(renewed)).status).toBe(204);
  expect((await reader.subscribe(one())).status).toBe(201);
});

test("the limit is a tenth of the proven subscribers, so strangers do not raise it", async () => {
  const { quotaAtLeast } = registrationLimit;
  await add(20_000, false);
  await add(quotaAtLeast, true);
  expect((await reader.subscribe(one())).status).toBe(201);
  expect(await quota()).toBe(2_000);
  await add(1_000, true);
  expect((await reader.subscribe(one())).status).toBe(429);
  await changeQuotas(app, {}, { validUntil: ago("1 second") });
  await changeSubscribers(app, { siteId }, { isRegistered: true });
  expect((await reader.subscribe(one())).status).toBe(429);
  expect(await quota()).toBe(quotaAtLeast);
});

test("the first thousand of an hour need no count of the site's subscribers", async () => {
  await reader.subscribe(one());
  expect(await quota()).toBeUndefined();
});

test("the owners are warned once a day: e-mail, overview, audit log", async () => {
  const owner = ownerEmail(publisher.tenantId);
  const headers = { cookie: await signIn(api, owner) };
  const overview = `/dashboard/api/tenants/${publisher.tenantId}/sites/${siteId}/overview`;
  const alerts = async () => (await api.call("GET", overview, { headers })).body.alerts;
  await reader.subscribe(one());
  expect(await alerts()).toEqual([]);
  await allow(1);
  const refused = await Promise.all([1, 2, 3].map(() => reader.subscribe(one())));
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
  expect(await events()).toEqual([{ actor: "reader", event: "registrations.limited", details: { anHour: 1 } }]);
  expect(await alerts()).toMatchObject([
    { code: "registrations_limited", message: expect.stringContaining("More than 1 new readers") },
  ]);
  expect(await queuedEmails()).toBe(1);
  await sendDueEmails(app, createMailer(app.config.SMTP_URL!, app.config.MAIL_FROM!));
  const { text } = await server.next(owner);
  expect(text).toContain(`https://push.example.org/sites/${siteId}/subscribers`);

  await changeQuotas(app, { siteId }, { warnedAt: ago("25 hours") });
  expect(await alerts()).toEqual([]);
  await reader.subscribe(one());
  expect(await events()).toHaveLength(2);
  expect(await queuedEmails()).toBe(1);
});

const at = (address: string) =>
  createReaderClient(
    from(() => address),
    siteId,
  );

test("one address registers a tenth of a site's quota in an hour, and others still can", async () => {
  await allow(30);
  const statuses = [];
  for (let i = 0; i < 40; i++) statuses.push((await at("203.0.113.7").subscribe(one())).status);
  expect(statuses).toEqual([...Array(3).fill(201), ...Array(37).fill(429)]);
  const refused = await at("203.0.113.7").subscribe(one());
  expect(refused.body).toMatchObject({ code: "rate_limited", limit: "address_registrations" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(59 * 60);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60 * 60);
  expect((await at("203.0.113.8").subscribe(one())).status).toBe(201);
  expect(await events()).toEqual([]);
});

test.each([
  ["an IPv6 household has one share", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", 429],
  ["another IPv6 household has its own", "2001:db8:1:2::1", "2001:db8:1:3::1", 201],
  ["an IPv4 address counts however it is written", "203.0.113.9", "::ffff:203.0.113.9", 429],
])("%s", async (_, first, second, status) => {
  await allow(10);
  expect((await at(first).subscribe(one())).status).toBe(201);
  expect((await at(second).subscribe(one())).status).toBe(status);
});

test("unsubscribing gives an address nothing back, and what is refused costs nothing", async () => {
  await allow(20);
  const reader = at("203.0.113.10");
  for (let i = 0; i < 2; i++) {
    const subscription = one();
    expect((await reader.subscribe(subscription)).status).toBe(201);
    expect((await reader.subscribe(subscription)).status).toBe(200);
    expect((await reader.unsubscribe(subscription)).status).toBe(204);
  }
  expect((await reader.subscribe(one())).status).toBe(429);
  await allow(30);
  expect((await reader.subscribe(one())).status).toBe(201);
});

test("an address has a share at each site, also when it registers many at once", async () => {
  await allow(20);
  const answers = await Promise.all(Array.from({ length: 8 }, () => at("203.0.113.11").subscribe(one())));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  const other = await createPublisher(app);
  const there = createReaderClient(
    from(() => "203.0.113.11"),
    other.siteId,
  );
  expect((await there.subscribe(one())).status).toBe(201);
});

test("the address is stored hashed only, and for an hour at most", async () => {
  await at("203.0.113.12").subscribe(one());
  const { rows } = await sql<{ bucket: string; minutes: number }>`select bucket,
      extract(epoch from resets_at - now())::float8 / 60 as minutes from rate_limits`.execute(app.db);
  expect(rows.map(({ bucket }) => bucket)).toContainEqual(expect.stringMatching(`^address_registrations:[\\w-]{43}$`));
  for (const { bucket, minutes } of rows) {
    expect(bucket).not.toContain("203.0.113.12");
    expect(minutes).toBeLessThanOrEqual(60);
  }
});
