import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { sendDueCampaigns, tellOfHolds } from "../../src/campaigns/schedule-keeper.ts";
import { createMailer } from "../../src/egress/smtp.ts";
import { sendDueLetters } from "../../src/mail/letter-keeper.ts";
import { type Desk, makeDue, openDesk } from "../campaigns/desk.ts";
import { eventually } from "../worlds/eventually.ts";
import { startMailServer } from "../worlds/mail-server.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn, signInAs } from "../worlds/sign-in.ts";

const server = await startMailServer();
let desk: Desk;
let owner: string;
let cookie: string;
const root = () => `/dashboard/api/tenants/${desk.publisher.tenantId}`;
const asOwner = (method: string, path: string, body?: unknown) =>
  desk.api.call(method, path, { headers: { cookie }, body });
const deliver = () => sendDueLetters(desk.app, createMailer(desk.app.config.SMTP_URL!, desk.app.config.MAIL_FROM!));
const tokenIn = (text: string) => /#([\w-]+)/.exec(text)![1]!;

beforeAll(async () => {
  const settings = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "push@example.org" };
  desk = await openDesk({ ...settings, PUBLIC_URL: "https://push.example.org/bell/" });
  owner = ownerEmail(desk.publisher.tenantId);
  cookie = await signIn(desk.api, owner);
});

test("who is invited gets the link, which opens the door", async () => {
  const { body } = await asOwner("POST", `${root()}/invitations`, { email: "new@example.org", role: "editor" });
  expect(body.mailed).toBe(true);
  await deliver();
  const { text, subject } = await server.next("new@example.org");
  expect(subject).toBe("Your invitation to Publisher");
  expect(text).toContain(`https://push.example.org/bell/invitation#${body.token}`);
  const taken = { token: tokenIn(text), password: "long enough" };
  expect((await desk.api.call("POST", "/dashboard/api/invitations/accept", { body: taken })).status).toBe(200);
});

test("a forgotten password is set by a letter's link, once; all sessions end, and strangers learn nothing", async () => {
  const forgotten = (email: string) => desk.api.call("POST", "/dashboard/api/password/forgotten", { body: { email } });
  const [known, unknown] = [await forgotten(owner.toUpperCase()), await forgotten("nobody@example.org")];
  expect([known.status, unknown.status]).toEqual([202, 202]);
  expect(unknown.body).toEqual(known.body);
  await eventually(async () => (await deliver()) > 0);
  const token = tokenIn((await server.next(owner)).text);
  expect(server.letters.some(({ to }) => to.includes("nobody@example.org"))).toBe(false);
  expect((await desk.api.call("POST", "/dashboard/api/password/look", { body: { token } })).body).toEqual({
    email: owner,
  });

  const set = (password: string) => desk.api.call("POST", "/dashboard/api/password/new", { body: { token, password } });
  expect((await set("short")).status).toBe(400);
  expect((await set("another horse battery")).status).toBe(200);
  expect((await set("a third horse battery")).status).toBe(404);
  expect((await asOwner("GET", root())).status).toBe(401);
  expect((await postSignIn(desk.api, { email: owner, password: ownerPassword })).status).toBe(401);
  cookie = await signIn(desk.api, owner, "another horse battery");
});

test("a fourth letter within the hour is not written, the answer is the same, and one link is left of all", async () => {
  const body = { email: "new@example.org" };
  const ask = () => desk.api.call("POST", "/dashboard/api/password/forgotten", { body });
  for (const { status } of await Promise.all([ask(), ask(), ask(), ask()])) expect(status).toBe(202);
  const before = server.letters.length;
  await eventually(async () => {
    await deliver();
    return server.letters.length === before + 3;
  });
  const { rows } = await sql`select 1 from password_links`.execute(desk.app.db);
  expect(rows).toHaveLength(1);
});

test("of a campaign that was missed, or failed at a shut gate, its owners and its author are told", async () => {
  const editor = await signInAs(desk.app, desk.api, desk.publisher.tenantId, "editor");
  const { user } = (await desk.api.call("GET", "/dashboard/api/start", { headers: { cookie: editor } })).body;
  const made = await desk.api.call("POST", `${root()}/campaigns`, {
    headers: { cookie: editor },
    body: { siteId: desk.publisher.siteId, mode: "manual", url: "https://news.example/a", title: "Late", body: "B" },
  });
  const { campaignId } = made.body;
  await desk.post(campaignId, "schedule", { scheduleAt: new Date(Date.now() + 60_000).toISOString() });
  await makeDue(desk.app, campaignId, 86_400);
  await sendDueCampaigns(desk.app);
  await deliver();
  for (const to of [owner, user.email]) {
    const { subject, text } = await server.next(to);
    expect(subject).toBe("A scheduled nudge was missed");
    expect(text).toContain("“Late” did not go out");
    expect(text).toContain(`https://push.example.org/bell/sites/${desk.publisher.siteId}/campaigns/${campaignId}`);
  }
});

test("of a campaign that a pause holds its people are told once, and again when it is due at another time", async () => {
  await asOwner("PATCH", root(), { paused: true });
  const { campaignId } = await desk.campaignThatIs("scheduled");
  await makeDue(desk.app, campaignId, 60);
  for (let i = 0; i < 2; i++) await Promise.all([tellOfHolds(desk.app), tellOfHolds(desk.app)]);
  expect(await deliver()).toBe(1);
  expect((await server.next(owner)).subject).toBe("A scheduled nudge is held by a pause");
  await makeDue(desk.app, campaignId, 30);
  await tellOfHolds(desk.app);
  expect(await deliver()).toBe(1);
  await asOwner("PATCH", root(), { paused: false });
  await sendDueCampaigns(desk.app);
  expect((await desk.read(campaignId)).status).toBe("sent");
});
