import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { createMailer, readSmtpUrl } from "../../src/egress/smtp.ts";
import { againAfterSeconds, sendDueEmails } from "../../src/mail/email-poller.ts";
import { queueEmail } from "../../src/mail/queue-email.ts";
import { trust } from "../egress/page-fixture.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { startMailServer } from "../fixtures/mail-server.ts";
import { startProcess } from "../fixtures/service-process.ts";

// Starting a process takes 0.5 s, and 3 s on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const sender = { MAIL_FROM: "Example News <push@example.org>", PUBLIC_URL: "https://push.example.org" };
const server = await startMailServer();
let app: App;

beforeAll(async () => {
  app = await openTestApp({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, ...sender });
});

const mailer = () => createMailer(app.config.SMTP_URL!, app.config.MAIL_FROM!);
const email = {
  to: "desk@example.org",
  subject: "Ein Gruß",
  text: "Über alles\n\nhttps://push.example.org/x#token\n",
};
const queued = async () =>
  (
    await sql<{ tries: number; dueAtMs: number }>`select tries,
  extract(epoch from due_at)::float8 * 1000 as "dueAtMs" from emails`.execute(app.db)
  ).rows;
const databaseNowMs = async () =>
  (await sql<{ ms: number }>`select extract(epoch from now())::float8 * 1000 as ms`.execute(app.db)).rows[0]!.ms;
const makeAllDue = () => sql`update emails set due_at = now()`.execute(app.db);

test("an e-mail arrives once with three senders at work, and is deleted", async () => {
  await queueEmail(app, app.db, email);
  const sent = await Promise.all([1, 2, 3].map(() => sendDueEmails(app, mailer())));
  expect(sent.reduce((sum, n) => sum + n)).toBe(1);
  const arrived = await server.next("desk@example.org");
  expect(arrived).toMatchObject({ to: ["desk@example.org"], from: "push@example.org", text: email.text });
  expect(arrived.headers).toMatch(/^from: Example News <push@example\.org>$/im);
  expect(arrived.headers).toMatch(/^auto-submitted: auto-generated$/im);
  expect(await queued()).toEqual([]);
});

test("a queued e-mail is sealed: the database shows neither its address nor its link", async () => {
  await queueEmail(app, app.db, email);
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from emails`.execute(app.db);
  const kept = rows.map(({ sealed }) => sealed.toString("latin1")).join();
  for (const secret of ["desk@example.org", "token", "alles"]) expect(kept).not.toContain(secret);
  await sendDueEmails(app, mailer());
});

test("an e-mail of a transaction that is rolled back is never sent", async () => {
  const undone = app.db.transaction().execute(async (tx) => {
    await queueEmail(app, tx, email);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await sendDueEmails(app, mailer())).toBe(0);
});

test("after a temporary refusal the next tries are later and later, and the last one gives up", async () => {
  await queueEmail(app, app.db, email);
  for (const [i, seconds] of againAfterSeconds.entries()) {
    const startedMs = await databaseNowMs();
    server.refuseNext(451);
    expect(await sendDueEmails(app, mailer())).toBe(0);
    expect(await sendDueEmails(app, mailer())).toBe(0);
    const [waiting] = await queued();
    expect(waiting!.tries).toBe(i + 1);
    const triedMs = waiting!.dueAtMs - seconds * 1_000;
    expect(triedMs).toBeGreaterThanOrEqual(startedMs);
    expect(triedMs).toBeLessThanOrEqual(await databaseNowMs());
    await makeAllDue();
  }
  server.refuseNext(451);
  await sendDueEmails(app, mailer());
  expect(await queued()).toEqual([]);
});

test("an e-mail that the server refuses for good is given up at once", async () => {
  await queueEmail(app, app.db, email);
  server.refuseNext(550);
  expect(await sendDueEmails(app, mailer())).toBe(0);
  expect(await queued()).toEqual([]);
});

test("an unreachable server costs a try, and the e-mail stays queued", async () => {
  await queueEmail(app, app.db, email);
  const unreachable = createMailer(readSmtpUrl("smtp://127.0.0.1:1")!, sender.MAIL_FROM);
  expect(await sendDueEmails(app, unreachable)).toBe(0);
  expect(await queued()).toMatchObject([{ tries: 1 }]);
  await makeAllDue();
  expect(await sendDueEmails(app, mailer())).toBe(1);
});

test("a line break in a subject adds no header", async () => {
  const before = server.emails.length;
  await queueEmail(app, app.db, { ...email, subject: "News\r\nBcc: evil@example.org", to: "desk@example.org" });
  await sendDueEmails(app, mailer());
  const arrived = server.emails.slice(before);
  expect(arrived).toHaveLength(1);
  expect(arrived[0]!.to).toEqual(["desk@example.org"]);
  expect(arrived[0]!.headers).not.toMatch(/^bcc:/im);
});

// Both tests wait for seconds. Concurrently they take as long as the longer one.
describe.concurrent("a worker", () => {
  test("sends queued e-mails", async () => {
    const SMTP_URL = `smtp://127.0.0.1:${server.port}`;
    const worker = startProcess(["worker"], { ...settingsOf(app), ...sender, WORKERS: "1", SMTP_URL });
    await queueEmail(app, app.db, { ...email, to: "night@example.org" });
    expect((await server.next("night@example.org")).text).toBe(email.text);
    worker.process.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  });

  test("is not delayed in its shutdown by a server that hangs", async () => {
    const own = await openTestApp({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, ...sender });
    const silent = createServer().listen(0, "127.0.0.1");
    afterFile(() => silent.close());
    await once(silent, "listening");
    const SMTP_URL = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const stuck = startProcess(["worker"], { ...settingsOf(own), ...sender, WORKERS: "1", SMTP_URL });
    await queueEmail(own, own.db, email);
    await once(silent, "connection");
    stuck.process.kill("SIGTERM");
    expect(await stuck.ended).toBe(0);
    await sql`update emails set due_at = now()`.execute(own.db);
    expect(await sendDueEmails(own, mailer())).toBe(1);
  });
});

test("without SMTP_URL no e-mail is queued", async () => {
  const silent = await openTestApp();
  expect(await queueEmail(silent, silent.db, email)).toBe(false);
  expect((await sql`select 1 from emails`.execute(silent.db)).rows).toEqual([]);
});

test("TLS and STARTTLS need a trusted certificate, and a login goes over them only", async () => {
  const login = "desk s3cret/€";
  const secure = await startMailServer({ secure: true, login });
  const upgraded = await startMailServer({ login });
  const words = `desk:${encodeURIComponent("s3cret/€")}`;
  // The server counts as being on another machine, because STARTTLS is not required on loopback.
  const elsewhere = { ...readSmtpUrl(`smtp://${words}@mail.example.org`)!, host: "localhost", port: upgraded.port };
  const servers = [readSmtpUrl(`smtps://${words}@localhost:${secure.port}`)!, elsewhere];
  for (const one of servers) {
    const result = await createMailer(one, sender.MAIL_FROM).post(email, "<a@pressbell>");
    expect(result).toMatchObject({ outcome: "later" });
  }
  expect([...secure.logins, ...upgraded.logins]).toEqual([]);
  for (const { certificate } of [secure, upgraded]) trust({ cert: certificate, key: "" });
  for (const one of servers) {
    const result = await createMailer(one, sender.MAIL_FROM).post(email, "<a@pressbell>");
    expect(result).toEqual({ outcome: "sent" });
  }
  for (const one of [secure, upgraded]) {
    expect(one.emails).toMatchObject([{ isEncrypted: true }]);
    expect(one.logins).toEqual([login]);
  }
  const wrong = createMailer(readSmtpUrl(`smtps://desk:wrong@localhost:${secure.port}`)!, sender.MAIL_FROM);
  expect(await wrong.post(email, "<a@pressbell>")).toMatchObject({
    outcome: "later",
    reason: expect.stringContaining("EAUTH"),
  });
});

test.for([
  ["smtps://mail.example.org", { host: "mail.example.org", port: 465, tls: "fromStart" }],
  ["smtp://mail.example.org", { host: "mail.example.org", port: 587, tls: "required" }],
  ["smtp://10.0.0.5:25?tls=optional", { host: "10.0.0.5", port: 25, tls: "optional" }],
  ["smtp://localhost:25", { host: "localhost", port: 25, tls: "optional" }],
  ["smtp://[::1]:25", { host: "::1", port: 25, tls: "optional" }],
  ["smtp://a%40b:c%3Ad@mail.example.org", { auth: { user: "a@b", pass: "c:d" } }],
] as const)("%s is read", ([url, server]) => {
  expect(readSmtpUrl(url)).toMatchObject(server);
});

test.for([
  "mail.example.org",
  "http://mail.example.org",
  "smtp://",
  "smtp://a/b",
  "smtp://a?secure=false",
  "smtp://%@a",
  "smtp://a#b",
])("%s is not a valid SMTP_URL", (url) => {
  expect(readSmtpUrl(url)).toBeNull();
});
