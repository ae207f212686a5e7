import { beforeAll, expect, test, vi } from "vitest";
import { createUser } from "../../src/access/accounts/create-user.ts";
import type { App } from "../../src/app.ts";
import { hasTenant } from "../../src/tenants/queries.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { postSignIn } from "../fixtures/sign-in.ts";
import type { Printed } from "./run-command.ts";
import { runHere } from "./run-here.ts";

vi.setConfig({ testTimeout: 60_000 });

let app: App;
let api: Api;
const password = "a long password of the owner";

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

/** Provisions a tenant, with the owner's password on standard input. */
function provision(...more: string[]): Promise<Printed> {
  const words = ["--tenant", "Echo", "--site", "Echo", "--site-url", "https://echo.example", "--json"];
  const settings = { ...settingsOf(app), LOG_LEVEL: "error", PUBLIC_URL: "https://push.example.org/bell" };
  return runHere(["provision", ...words, ...more], settings, { input: `${password}\n` });
}

test("an address with an account is refused without --existing-account, and nothing is created", async () => {
  // A stranger who saw an invitation on a screen can create an account under any address in this way.
  const [email, emailVerified] = ["invited@echo.example", false];
  await createUser(app.db, { email, password: "the password of a stranger", emailVerified });
  const { code, out, err } = await provision("--owner", email, "--password-stdin");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.split("\n")[1]).toBe(
    "  --owner has an account already, whose address was never verified by an e-mailed link. " +
      "If it is this person's, repeat `pressbell provision` with --existing-account.",
  );
  expect(await hasTenant(app.db)).toBe(false);
});

test("--existing-account makes the account the owner, with its password, without a link", async () => {
  const email = "known@echo.example";
  await createUser(app.db, { email, password, emailVerified: true });
  const { code, out } = await provision("--owner", email, "--existing-account");
  expect(code).toBe(0);
  expect(JSON.parse(out)).not.toHaveProperty("passwordLink");
  expect((await postSignIn(api, { email, password })).status).toBe(200);
});

test("the password comes from standard input with --password-stdin", async () => {
  const email = "piped@echo.example";
  const { code, out, err } = await provision("--owner", email, "--password-stdin");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).not.toHaveProperty("passwordLink");
  expect((await postSignIn(api, { email, password })).status).toBe(200);
});

test("without a password, a link that sets it is printed", async () => {
  const email = "linked@echo.example";
  const printed = JSON.parse((await provision("--owner", email)).out);
  expect(printed.validHours).toBe(24);
  const token = /^https:\/\/push\.example\.org\/bell\/new-password#([\w-]{43})$/.exec(printed.passwordLink)![1]!;
  expect((await postSignIn(api, { email, password })).status).toBe(401);
  const set = await api.call("POST", "/dashboard/api/password/new", { body: { token, password } });
  expect(set.status).toBe(200);
  expect((await postSignIn(api, { email, password })).status).toBe(200);
});

test("--password and --password-stdin together are refused", async () => {
  const both = await provision("--owner", "both@echo.example", "--password-stdin", "--password", password);
  expect(both).toMatchObject({ code: 2, err: expect.stringContaining("exclude each other") });
});
