import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createPasswordLinkFor } from "../../src/access/accounts/password-links.ts";
import { userByEmail } from "../../src/access/accounts/queries.ts";
import { createMailer } from "../../src/egress/smtp.ts";
import { sendDueEmails } from "../../src/mail/email-poller.ts";
import { emailAboutDelays, startDueSends } from "../../src/sends/scheduler.ts";
import { type CampaignFixture, inSeconds, makeDue, openCampaignFixture } from "../campaigns/fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { startMailServer } from "../fixtures/mail-server.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn, signInAs } from "../fixtures/sign-in.ts";

const server = await startMailServer();
let fixture: CampaignFixture;
let owner: string;
let cookie: string;
const root = () => `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
const asOwner = (method: string, path: string, body?: unknown) =>
  fixture.api.call(method, path, { headers: { cookie }, body });
const deliver = () =>
  sendDueEmails(fixture.app, createMailer(fixture.app.config.SMTP_URL!, fixture.app.config.MAIL_FROM!));
const tokenIn = (text: string) => /#([\w-]+)/.exec(text)![1]!;

const isVerified = async (email: string) => (await userByEmail(fixture.app.db, email))!.emailVerified;

beforeAll(async () => {
  const settings = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "push@example.org" };
  fixture = await openCampaignFixture({ ...settings, PUBLIC_URL: "https://push.example.org/bell/" });
  owner = ownerEmail(fixture.publisher.tenantId);
  cookie = await signIn(fixture.api, owner);
});

test("an invited person gets a link by e-mail, and it works", async () => {
  const { body } = await asOwner("POST", `${root()}/invitations`, { email: "new@example.org", role: "editor" });
  expect(body.mailed).toBe(true);
  await deliver();
  const { text, subject } = await server.next("new@example.org");
  expect(subject).toBe("Your invitation to Publisher");
  expect(text).toContain(`https://push.example.org/bell/invitation#${body.token}`);
  const taken = { token: tokenIn(text), password: "long enough" };
  expect((await fixture.api.call("POST", "/dashboard/api/invitations/accept", { body: taken })).status).toBe(200);
  expect(await isVerified("new@example.org")).toBe(true);
});

test("the link that the inviter sees verifies no address, also if another one is e-mailed", async () => {
  const email = "victim@example.org";
  const { body } = await asOwner("POST", `${root()}/invitations`, { email, role: "editor" });
  const accept = (token: string) =>
    fixture.api.call("POST", "/dashboard/api/invitations/accept", { body: { token, password: "long enough" } });
  expect((await accept(body.token + "A".repeat(43))).status).toBe(404);
  expect((await accept(body.token)).status).toBe(200);
  expect(await isVerified(email)).toBe(false);

  // A person with an account proves its address by the e-mail of a later invitation.
  const other = await createPublisher(fixture.app);
  const headers = { cookie: await signIn(fixture.api, ownerEmail(other.tenantId)) };
  const path = `/dashboard/api/tenants/${other.tenantId}/invitations`;
  await fixture.api.call("POST", path, { headers, body: { email, role: "viewer" } });
  await deliver();
  await server.next(email);
  const { text } = await server.next(email);
  expect((await accept(tokenIn(text))).status).toBe(200);
  expect(await isVerified(email)).toBe(true);
});

test("a password by an e-mailed link verifies the address, one by a shown link does not", async () => {
  const email = ownerEmail((await createPublisher(fixture.app)).tenantId);
  const setNew = (token: string) =>
    fixture.api.call("POST", "/dashboard/api/password/new", { body: { token, password: "long enough" } });
  await fixture.api.call("POST", "/dashboard/api/password/forgotten", { body: { email } });
  await eventually(async () => (await deliver()) > 0);
  expect((await setNew(tokenIn((await server.next(email)).text))).status).toBe(200);
  expect(await isVerified(email)).toBe(true);

  const { token } = await createPasswordLinkFor(fixture.app, email);
  expect((await setNew(token)).status).toBe(200);
  expect(await isVerified(email)).toBe(false);
});

test("a password e-mail's link works once and ends all sessions, and reveals no accounts", async () => {
  const forgotten = (email: string) =>
    fixture.api.call("POST", "/dashboard/api/password/forgotten", { body: { email } });
  const [known, unknown] = [await forgotten(owner.toUpperCase()), await forgotten("nobody@example.org")];
  expect([known.status, unknown.status]).toEqual([202, 202]);
  expect(unknown.body).toEqual(known.body);
  await eventually(async () => (await deliver()) > 0);
  const token = tokenIn((await server.next(owner)).text);
  expect(server.emails.some(({ to }) => to.includes("nobody@example.org"))).toBe(false);
  expect((await fixture.api.call("POST", "/dashboard/api/password/look", { body: { token } })).body).toEqual({
    email: owner,
  });

  const set = (password: string) =>
    fixture.api.call("POST", "/dashboard/api/password/new", { body: { token, password } });
  expect((await set("short")).status).toBe(400);
  expect((await set("another horse battery")).status).toBe(200);
  expect((await set("a third horse battery")).status).toBe(404);
  expect((await asOwner("GET", root())).status).toBe(401);
  expect((await postSignIn(fixture.api, { email: owner, password: ownerPassword })).status).toBe(401);
  cookie = await signIn(fixture.api, owner, "another horse battery");
});

test("a fourth password e-mail within an hour is not sent, with the same answer", async () => {
  const body = { email: "new@example.org" };
  const ask = () => fixture.api.call("POST", "/dashboard/api/password/forgotten", { body });
  for (const { status } of await Promise.all([ask(), ask(), ask(), ask()])) expect(status).toBe(202);
  const before = server.emails.length;
  await eventually(async () => {
    await deliver();
    return server.emails.length === before + 3;
  });
  const { rows } = await sql`select 1 from password_links`.execute(fixture.app.db);
  expect(rows).toHaveLength(1);
});

test("owners and author get an e-mail about a campaign that was missed or stopped by a gate", async () => {
  const editor = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "editor");
  const { user } = (await fixture.api.call("GET", "/dashboard/api/start", { headers: { cookie: editor } })).body;
  const made = await fixture.api.call("POST", `${root()}/campaigns`, {
    headers: { cookie: editor },
    body: { siteId: fixture.publisher.siteId, mode: "manual", url: "https://news.example/a", title: "Late", body: "B" },
  });
  const { campaignId } = made.body;
  await fixture.post(campaignId, "schedule", { scheduleAt: new Date(Date.now() + 60_000).toISOString() });
  await makeDue(fixture.app, campaignId, 86_400);
  await startDueSends(fixture.app);
  await deliver();
  for (const to of [owner, user.email]) {
    const { subject, text } = await server.next(to);
    expect(subject).toBe("A scheduled notification was missed");
    expect(text).toContain("“Late” did not go out");
    expect(text).toContain(`https://push.example.org/bell/sites/${fixture.publisher.siteId}/campaigns/${campaignId}`);
  }
});

test("a campaign that a pause halts causes one e-mail, and another one after it is rescheduled", async () => {
  await asOwner("PATCH", root(), { paused: true });
  const { campaignId } = await fixture.campaignThatIs("scheduled");
  await makeDue(fixture.app, campaignId, 60);
  for (let i = 0; i < 2; i++) await Promise.all([emailAboutDelays(fixture.app), emailAboutDelays(fixture.app)]);
  expect(await deliver()).toBe(1);
  expect((await server.next(owner)).subject).toBe("A scheduled notification is delayed by a pause");
  await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(60) });
  await makeDue(fixture.app, campaignId, 30);
  await emailAboutDelays(fixture.app);
  expect(await deliver()).toBe(1);
  await asOwner("PATCH", root(), { paused: false });
  await startDueSends(fixture.app);
  expect((await fixture.read(campaignId)).status).toBe("sent");
});
