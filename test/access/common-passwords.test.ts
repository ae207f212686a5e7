import { beforeAll, expect, test } from "vitest";
import { createOwner } from "../../src/access/accounts/create-user.ts";
import { hashPassword } from "../../src/access/accounts/credentials.ts";
import { insertUser } from "../../src/access/accounts/queries.ts";
import { insertMember } from "../../src/access/members/queries.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { setUpToken } from "../fixtures/set-up.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn, signInAs } from "../fixtures/sign-in.ts";

const common = "Sunshine1";
const refusal = (path: string) => ({
  status: 400,
  body: { code: "validation_failed", errors: [{ path, message: expect.stringContaining("choose another") }] },
});

let app: App;
let api: Api;
let publisher: Publisher;
let owner: string;
const root = () => `/dashboard/api/tenants/${publisher.tenantId}`;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  owner = await signIn(api, ownerEmail(publisher.tenantId));
});

test("a common password is refused at the set-up", async () => {
  const fresh = await openTestApp();
  const body = {
    token: setUpToken(fresh),
    email: "a@example.org",
    password: common,
    tenantName: "A",
    siteName: "A",
    siteUrl: "https://news.example",
    timeZone: "UTC",
    dpaAccepted: true,
  };
  const answer = await (await serve(fresh)).call("POST", "/dashboard/api/set-up", { body });
  expect(answer).toMatchObject(refusal("/password"));
});

test("a common password is refused as the next one, and the present one stays", async () => {
  const body = { currentPassword: ownerPassword, newPassword: common };
  const answer = await api.call("POST", "/dashboard/api/auth/change-password", { headers: { cookie: owner }, body });
  expect(answer).toMatchObject(refusal("/newPassword"));
  await signIn(api, ownerEmail(publisher.tenantId));
});

test("a common password is refused for a password link, and the link works afterwards", async () => {
  const cookie = await signInAs(app, api, publisher.tenantId, "editor");
  const { userId } = (await api.call("GET", "/dashboard/api/start", { headers: { cookie } })).body.user;
  const made = await api.call("POST", `${root()}/members/${userId}/password-link`, { headers: { cookie: owner } });
  const set = (password: string) =>
    api.call("POST", "/dashboard/api/password/new", { body: { token: made.body.token, password } });
  expect(await set(common)).toMatchObject(refusal("/password"));
  expect((await set("long enough")).status).toBe(200);
});

/** Invites `email`. Returns a function that accepts the invitation with a password. */
async function invitationOf(email: string) {
  const body = { email, role: "viewer" };
  const { token } = (await api.call("POST", `${root()}/invitations`, { headers: { cookie: owner }, body })).body;
  return (password: string) => api.call("POST", "/dashboard/api/invitations/accept", { body: { token, password } });
}

test("a common password is refused for a new account of an invitation, which stays open", async () => {
  const accept = await invitationOf("new@example.org");
  expect(await accept(common)).toMatchObject(refusal("/password"));
  expect((await accept("long enough")).status).toBe(200);
});

test("a person whose old password is common still signs in, and accepts an invitation", async () => {
  const [id, email] = [newId(), "early@example.org"];
  const passwordHash = await hashPassword(common);
  await insertUser(app.db, { id, email, emailVerified: true, name: "early", accountId: newId(), passwordHash });
  const { tenantId } = await createPublisher(app);
  await insertMember(app.db, { id: newId(), tenantId, userId: id, role: "viewer" });
  expect((await postSignIn(api, { email, password: common })).status).toBe(200);
  expect((await (await invitationOf(email))(common)).status).toBe(200);
});

test("the command line refuses a common password", async () => {
  const words = [
    "provision",
    "--tenant",
    "B",
    "--owner",
    "b@example.org",
    "--site",
    "B",
    "--site-url",
    "https://b.example",
  ];
  const { code, err } = await runHere([...words, "--password", common], settingsOf(app));
  expect(code).not.toBe(0);
  expect(err).toContain("--password is in lists of stolen passwords");
});

test.each(["password", "PASSWORD", "1234567890", "qwertyuiop"])("%s is common", async (password) => {
  const tried = createOwner(app.db, { tenantId: publisher.tenantId, email: "c@example.org", password });
  await expect(tried).rejects.toMatchObject({ code: "validation_failed" });
});
