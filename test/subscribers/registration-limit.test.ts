import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { createMailer } from "../../src/egress/smtp.ts";
import { sendDueEmails } from "../../src/mail/email-poller.ts";
import { registrationLimit } from "../../src/rate-limits/limits.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
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
});
const api = await serve(app);
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

/** Adds subscribers, registered just now or imported. */
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
  expect(await alerts()).toEqual([
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
