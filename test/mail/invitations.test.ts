import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { invitationEmail } from "../../src/access/emails.ts";
import { type CampaignFixture, openCampaignFixture } from "../campaigns/fixture.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { insertRun } from "../fixtures/rows/runs.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

const link = "https://push.example.org/invitation#token";
const mailOf = (tenantName: string) =>
  invitationEmail({ email: "new@example.org", tenantName, role: "editor", link, validDays: 7 });
const before = "Your invitation to ";

test.each([
  ["The Daily Post", "The Daily Post"],
  ["Dr. Müller & Söhne e.V.", "Dr. Müller & Söhne e V."],
  ["Win at https://evil.example/now", "Win at https evil example now"],
  ["evil.example", "evil example"],
  ["evil。example", "evil example"],
  ["evil．example", "evil example"],
  ["ask me@evil.example", "ask me evil example"],
  ["News\r\n\r\nPay here", "News Pay here"],
  ["a\u200b\u202eb", "a b"],
  ["<b>[Pay](x)</b>", "b Pay x b"],
  ["x".repeat(41), `${"x".repeat(39)}…`],
])("the name %j stands in the mail as %j", (name, shown) => {
  expect(mailOf(name).subject).toBe(before + shown);
});

test("no name adds a line, a link or more than 40 characters to the mail", () => {
  const character = fc.constantFrom(
    ..."a.:/@<>\\[]() \n\r\t",
    "\u2028",
    "\u202e",
    "。",
    "．",
    "：",
    "／",
    "＠",
    "℀",
    "ﬀ",
  );
  const any = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
  const name = fc.string({ unit: fc.oneof(character, any), maxLength: 60 });
  const frame = mailOf("NAME").text;
  fc.assert(
    fc.property(name, (tenantName) => {
      const { subject, text } = mailOf(tenantName);
      const shown = subject.slice(before.length);
      expect([...shown].length).toBeLessThanOrEqual(40);
      expect(shown).not.toMatch(/[/\\@:<>[\]()\p{C}\p{Zl}\p{Zp}]|\.[^\s.…]/u);
      expect(text).toBe(frame.replace("NAME", () => shown));
    }),
  );
});

let fixture: CampaignFixture;

beforeAll(async () => {
  const settings = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "push@example.org" };
  fixture = await openCampaignFixture({ ...settings, PUBLIC_URL: "https://push.example.org/" });
});

test.each([
  { verified: false, accepted: 1, allowed: 10 },
  { verified: true, accepted: 99, allowed: 10 },
  { verified: false, accepted: 100, allowed: 10 },
  { verified: true, accepted: 100, allowed: 12 },
])("of 12 people a tenant mails $allowed: verified $verified, accepted $accepted", async (of) => {
  const { app, api } = fixture;
  const { tenantId, siteId } = await createPublisher(app);
  const headers = { cookie: await signIn(api, ownerEmail(tenantId)) };
  await sql`update users set email_verified = ${of.verified} where email = ${ownerEmail(tenantId)}`.execute(app.db);
  await insertRun(app, { siteId, tenantId, accepted: of.accepted, audience: 100 });
  const invite = (i: number) => {
    const body = { email: `reader-${i}@example.org`, role: "viewer" };
    return api.call("POST", `/dashboard/api/tenants/${tenantId}/invitations`, { headers, body });
  };
  const answers = [];
  for (let i = 0; i < 12; i++) answers.push(await invite(i));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(of.allowed);
  for (const { status, body } of answers.slice(of.allowed)) {
    expect({ status, ...body }).toMatchObject({ status: 429, code: "rate_limited", limit: "mailed_invitations" });
  }
});
