import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { freePort } from "../fixtures/free-port.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn, signInToOverview } from "./dashboard/sign-in.ts";

// Passkeys are bound to a host name: an address such as 127.0.0.1 has none.
const port = await freePort();
const address = `http://localhost:${port}`;
const fixture = await openDashboardFixture({ PORT: String(port), PUBLIC_URL: address });

beforeAll(async () => {
  await setUp(await fixture.visit(), fixture.app);
});

/** Opens a page on a device with a built-in authenticator that verifies its person. */
async function openDevice(): Promise<Page> {
  const page = await fixture.visit({ baseURL: address });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

test("a person adds a passkey, signs in with it without a password, and removes it", async () => {
  const page = await openDevice();
  await signIn(page, owner);
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Passkeys" });
  await section.getByLabel("Name of a new passkey").fill("My laptop");
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByText("not used yet").waitFor();
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByText("This device has a passkey for your account already.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await section.screenshot({ path: `${process.env.SHOTS}/passkeys.png` });
  await section.getByRole("button", { name: "Rename My laptop" }).click();
  await section.getByLabel("New name of My laptop").fill("The old laptop");
  await section.getByRole("button", { name: "Save the name of My laptop" }).click();
  await section.getByText("The old laptop").waitFor();

  await page.context().clearCookies();
  await page.goto("/sign-in");
  const sent = page.waitForRequest((request) => request.url().endsWith("/auth/sign-in/passkey"));
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const body = (await sent).postDataJSON();
  const replayed = await createApi(fixture.url).call("POST", "/dashboard/api/auth/sign-in/passkey", { body });
  expect(replayed).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });

  await page.goto("/account");
  await section.getByText("last used just now").waitFor();
  await section.getByRole("button", { name: "Remove The old laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await section.getByText("The old laptop").waitFor({ state: "detached" });
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("This passkey is not known here").waitFor();
});

test("a passkey answers instead of the password when an export asks who it is", async () => {
  const page = await openDevice();
  await signInToOverview(page, owner);
  const site = page.url();
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Passkeys" });
  await section.getByRole("button", { name: "Add a passkey" }).click();
  await section.getByText("not used yet").waitFor();
  await changeSessions(fixture.app, {}, { authenticatedAt: ago("11 minutes") });
  await page.goto(`${site}/integrations`);
  await page.getByLabel("Name of a new key").fill("CMS");
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText(/pbk_\w{20,}/).waitFor();
});
