import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn, signInToOverview, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();

let tenantId: string;

beforeAll(async () => {
  ({ tenantId } = await setUp(await fixture.visit(), fixture.app));
});

test("a person sees where they are signed in, and signs another device out", async () => {
  const phone = await fixture.visit({
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
  });
  await signIn(phone, owner);
  const page = await fixture.visit();
  await signIn(page, owner);
  await page.goto("/account");
  const devices = page.getByRole("region", { name: "Where you are signed in" });
  await devices.getByText("This one").waitFor();
  await devices.getByText("Chrome on Linux").first().waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await devices.getByRole("button", { name: /^Sign out Safari on iPhone/ }).click();
  await devices.getByText("Safari on iPhone").waitFor({ state: "detached" });
  await phone.goto("/account");
  await phone.getByRole("heading", { name: "Sign in" }).waitFor();
  await devices.getByRole("button", { name: "Sign out all others" }).click();
  await devices.getByRole("button", { name: "Sign out all others" }).waitFor({ state: "detached" });
  expect(await devices.locator("[data-session]").count()).toBe(1);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/account.png`, fullPage: true });
});

test.each(["/https://evil.example", "//evil.example", "/javascript:alert(1)", "/../../evil", "https://evil.example"])(
  "a sign-in that is to lead to %s stays at the dashboard",
  async (next) => {
    const page = await fixture.visit();
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    const { origin } = new URL(page.url());
    await page.getByLabel("E-mail address").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    const left = page.waitForEvent("framenavigated");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await left;
    expect(new URL(page.url()).origin).toBe(origin);
  },
);

test("an export asks for the password when the sign-in is old, and then goes on by itself", async () => {
  const page = await fixture.visit({ acceptDownloads: true });
  await signInToOverview(page, owner);
  const site = page.url();
  await changeSessions(fixture.app, {}, { authenticatedAt: ago("11 minutes") });
  await page.goto(`${site}/subscribers`);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Is it you?" });
  await question.getByLabel("Your password").fill("not the one");
  await question.getByRole("button", { name: "Continue" }).click();
  await question.getByText("This is not your password.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/confirm.png` });
  await question.getByLabel("Your password").fill(owner.password);
  const saved = page.waitForEvent("download");
  await question.getByRole("button", { name: "Continue" }).click();
  expect((await saved).suggestedFilename()).toBe("subscribers.ndjson");
  await question.waitFor({ state: "detached" });

  await changeSessions(fixture.app, {}, { authenticatedAt: ago("11 minutes") });
  await page.goto(`${site}/integrations`);
  await page.getByLabel("Name of a new key").fill("CMS");
  await page.getByRole("button", { name: "Make a key" }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("This was not done, because it needs your password.").waitFor();
  await page.getByRole("button", { name: "Make a key" }).click();
  await question.getByLabel("Your password").fill(owner.password);
  await question.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/pbk_\w{20,}/).waitFor();
});

/** Sets up an authenticator app on the account page. */
async function setUpApp(page: Page): Promise<void> {
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Authenticator app" });
  await section.getByRole("button", { name: "Set up an app" }).click();
  const key = (await section.getByRole("region", { name: "key for the app" }).innerText()).trim();
  await section.getByLabel("Code of the app").fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await section.getByRole("button", { name: "Switch it on" }).click();
  await section.getByRole("button", { name: "I have kept them" }).click();
}

test("where owners require a second factor, a member sets one up before anything else", async () => {
  const ownerPage = await visitAs(fixture, tenantId, "owner");
  await ownerPage.goto("/");
  await ownerPage.getByRole("link", { name: "Members" }).click();
  const switched = ownerPage.getByLabel("All members need a second factor");
  await switched.click({ force: true });
  await ownerPage.getByText("This needs a second factor. Set up an authenticator app under Your account").waitFor();
  await setUpApp(ownerPage);
  await ownerPage.goto("/");
  await ownerPage.getByRole("link", { name: "Members" }).click();
  await switched.click({ force: true });
  await expect.poll(() => switched.isChecked()).toBe(true);
  expect(await accessibilityFaults(ownerPage)).toEqual([]);
  if (process.env.SHOTS) await ownerPage.screenshot({ path: `${process.env.SHOTS}/members.png`, fullPage: true });

  const editor = await visitAs(fixture, tenantId, "editor");
  await editor.goto("/");
  await editor.getByText("Example News requires a second factor").waitFor();
  expect(await accessibilityFaults(editor)).toEqual([]);
  if (process.env.SHOTS) await editor.screenshot({ path: `${process.env.SHOTS}/factor-missing.png` });
  await editor.getByRole("link", { name: "Your account" }).first().click();
  await setUpApp(editor);
  await editor.goto("/");
  await editor.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await ownerPage.reload();
  await switched.click({ force: true });
  await expect.poll(() => switched.isChecked()).toBe(false);
});

test("a person sets up an authenticator app, signs in with its code, and switches it off", async () => {
  const page = await fixture.visit();
  await signIn(page, owner);
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Authenticator app" });
  await section.getByRole("button", { name: "Set up an app" }).click();
  await section.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  const key = (await section.getByRole("region", { name: "key for the app" }).innerText()).trim();
  const app = new TOTP({ secret: Secret.fromBase32(key) });
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await section.screenshot({ path: `${process.env.SHOTS}/totp.png` });
  // The code stays valid for half a minute after its step of the clock. The sign-in takes a recovery code.
  await section.getByLabel("Code of the app").fill(app.generate());
  await section.getByRole("button", { name: "Switch it on" }).click();
  const codes = (await section.getByRole("region", { name: "recovery codes" }).innerText()).trim().split(/\s+/);
  expect(codes).toHaveLength(10);
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await section.screenshot({ path: `${process.env.SHOTS}/recovery.png` });
  await section.getByRole("button", { name: "I have kept them" }).click();
  await section.getByText("10 recovery codes are left").waitFor();

  const other = await fixture.visit();
  await other.goto("/sign-in");
  await other.getByLabel("E-mail address").fill(owner.email);
  await other.getByLabel("Password", { exact: true }).fill(owner.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Your code" }).waitFor();
  expect(await accessibilityFaults(other)).toEqual([]);
  if (process.env.SHOTS) await other.screenshot({ path: `${process.env.SHOTS}/code.png` });
  await other.getByLabel("Code").fill("000000");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText("This is not valid").waitFor();
  await other.getByLabel("Code").fill(codes[0]!);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  await section.getByRole("button", { name: "Switch it off" }).click();
  const question = page.getByRole("dialog", { name: "Switch off the app?" });
  await question.getByRole("button", { name: "Switch it off" }).click();
  await section.getByRole("button", { name: "Set up an app" }).waitFor();
});

test("a person deletes their account, and is at the sign-in", async () => {
  const page = await visitAs(fixture, tenantId, "editor");
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Delete your account" });
  await section.getByRole("button", { name: "Delete it" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account for good?" });
  await dialog.getByText("You are signed out everywhere").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/delete-account.png`, fullPage: true });
  await dialog.getByRole("button", { name: "Delete it" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
