import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword, signIn, signInAs } from "../fixtures/sign-in.ts";

vi.setConfig({ testTimeout: 60_000 });

const root = "/dashboard/api/auth";

let app: App;
let api: Api;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

const post = (path: string, cookie: string, body?: unknown) =>
  api.call("POST", `${root}${path}`, { headers: { cookie }, body });

/** Switches on the second factor of a session's person. */
async function setUpFactor(cookie: string): Promise<void> {
  const { body } = await post("/second-factor/begin", cookie);
  const code = new TOTP({ secret: Secret.fromBase32((body as { key: string }).key) }).generate();
  expect((await post("/second-factor/confirm", cookie, { code })).status).toBe(200);
}

async function publisher() {
  const { tenantId, apiKey } = await createPublisher(app);
  const path = `/dashboard/api/tenants/${tenantId}`;
  const require = (cookie: string, requiresSecondFactor: unknown = true) =>
    api.call("PATCH", path, { headers: { cookie }, body: { requiresSecondFactor } });
  const read = async (cookie: string) => {
    const { status, body } = await api.call("GET", path, { headers: { cookie } });
    return status === 200 ? 200 : `${status} ${body.code}`;
  };
  const start = async (cookie: string) => {
    const { body } = await api.call("GET", "/dashboard/api/start", { headers: { cookie } });
    return body.tenants as { missing: string | null; sites: unknown[] }[];
  };
  const owner = await signIn(api, ownerEmail(tenantId));
  return { tenantId, apiKey, owner, require, read, start };
}

test("an owner who has a second factor may require one of all members", async () => {
  const { owner, require, read, start, tenantId } = await publisher();
  await setUpFactor(owner);
  const editor = await signInAs(app, api, tenantId, "editor");
  expect(await read(editor)).toBe(200);
  expect((await require(owner)).body).toMatchObject({ requiresSecondFactor: true });
  expect(await read(editor)).toBe("403 second_factor_required");
  expect(await start(editor)).toMatchObject([{ missing: "secondFactor", sites: [] }]);
  expect(await read(owner)).toBe(200);
  await setUpFactor(editor);
  expect(await read(editor)).toBe(200);
  expect(await start(editor)).toMatchObject([{ missing: null, sites: [{}] }]);
});

test("a new password keeps a session with a code; without the code it counts no more", async () => {
  const { owner, require, read } = await publisher();
  await setUpFactor(owner);
  await require(owner);
  const input = { currentPassword: ownerPassword, newPassword: "another horse battery" };
  const changed = await post("/change-password", owner, input);
  expect(changed.status).toBe(200);
  const cookie = changed.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  expect(await read(cookie)).toBe(200);
  expect((await post("/second-factor/remove", cookie)).status).toBe(200);
  expect(await read(cookie)).toBe("403 second_factor_required");
});

test("an owner without a second factor cannot require one", async () => {
  const { owner, require, read } = await publisher();
  const { status, body } = await require(owner);
  expect([status, body.code]).toEqual([403, "second_factor_required"]);
  expect(await read(owner)).toBe(200);
});

test("editors cannot require it, and it is true or false", async () => {
  const { owner, require, tenantId } = await publisher();
  await setUpFactor(owner);
  expect((await require(await signInAs(app, api, tenantId, "editor"))).status).toBe(403);
  expect((await require(owner, "yes")).body.code).toBe("validation_failed");
});

test("API keys and other publishers of the same person are not concerned", async () => {
  const { owner, require, apiKey, tenantId } = await publisher();
  const other = await publisher();
  await setUpFactor(owner);
  await require(owner);
  expect((await api.call("GET", `/v1/tenants/${tenantId}/runs`, { key: apiKey })).status).toBe(200);
  expect(await other.read(other.owner)).toBe(200);
});

test("the operator lifts the requirement", async () => {
  const { owner, require, tenantId, read } = await publisher();
  await setUpFactor(owner);
  const editor = await signInAs(app, api, tenantId, "editor");
  await require(owner);
  const done = await runHere(["tenant", "set", "--tenant", tenantId, "--second-factor", "off"], settingsOf(app));
  expect(done.code).toBe(0);
  expect(await read(editor)).toBe(200);
});
