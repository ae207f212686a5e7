import { expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { setUpToken } from "../fixtures/set-up.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, confirmSend, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUpByHand, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();

test("a visitor without the set-up link is told where it is; the token leaves the address bar", async () => {
  const page = await fixture.visit();
  await page.goto("/sign-in");
  await page.getByRole("heading", { level: 1, name: "Pressbell is not set up yet" }).waitFor();
  await page.getByText("setup-link").waitFor();
  expect(await page.getByLabel("E-mail address").count()).toBe(0);

  await page.goto(`/?setup=${setUpToken(fixture.app)}`);
  await page.getByLabel("E-mail address").waitFor();
  expect(page.url()).toBe(`${fixture.url}/set-up`);
  await page.reload();
  await page.getByLabel("E-mail address").waitFor();
});

test("the first visit leads to a campaign that reached all readers, without console errors", async () => {
  const page = await fixture.visit();
  const { tenantId, siteId, key } = await setUpByHand(page, fixture.app);
  const sites = await createApi(fixture.url).call("GET", `/v1/tenants/${tenantId}/sites`, { key });
  expect(sites).toMatchObject({ status: 200, body: { data: [{ siteId, timeZone: "Europe/Berlin" }] } });
  const steps = page.getByRole("region", { name: "First steps" });
  await steps.getByText("0 of 5 done").waitFor();
  expect(await steps.getByRole("link").allInnerTexts()).toHaveLength(5);
  expect(await accessibilityFaults(page)).toEqual([]);

  // The page is open while the site gets a test device and its first readers.
  await fixture.addReaders(siteId, 1, "Newsroom phone");
  await steps.getByText("1 of 5 done").waitFor();
  await fixture.addReaders(siteId, 120);
  await steps.getByText("2 of 5 done").waitFor();
  await page.getByText("Reachable subscribers").waitFor();
  await composeStory(page, siteId, fixture.story());
  await page.getByText("Worth sending").waitFor();
  expect(await page.getByLabel(/^Title/).inputValue()).toBe("Bridge opens on Saturday");
  await page.getByLabel(/^Title/).fill("The bridge is open");
  expect(await page.getByTestId("preview-title").innerText()).toBe("The bridge is open");
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("1 of 1 test devices took it").waitFor();

  await confirmSend(page, "120 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
  expect(await page.locator('[data-count="accepted"]').innerText()).toBe("120");
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await steps.locator('[data-step="notification"][data-done="true"]').waitFor();
  await steps.getByText("3 of 5 done").waitFor();
  expect(fixture.pushService.sample(200).map(({ payload }) => payload)).toContainEqual(
    expect.objectContaining({ notification: expect.objectContaining({ title: "The bridge is open" }) }),
  );
  expect(fixture.faults).toEqual([]);
});

test("signing out ends the session, and signing in leads back to the requested page", async () => {
  const page = await fixture.visit();
  await page.goto("/account");
  await page.getByLabel("E-mail address").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill("not it at all");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("The e-mail address or the password is wrong.").waitFor();
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();

  await page.getByRole("button", { name: owner.email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
});

test("after a change of the password the new one works and the old one does not", async () => {
  const page = await fixture.visit();
  await signIn(page, owner);
  await page.goto("/account");
  await page.getByLabel("Current password").fill("not it at all");
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Change it" }).click();
  await page.getByText("This is not your password.").waitFor();
  await page.getByLabel("Current password").fill(owner.password);
  await page.getByRole("button", { name: "Change it" }).click();
  await page.getByText("Your password is changed.").waitFor();

  const other = await fixture.visit();
  await signIn(other, { ...owner, password: "another horse battery" });
  const old = await createApi(fixture.url).call("POST", "/dashboard/api/auth/sign-in/email", { body: owner });
  expect(old.status).toBe(401);
});

test("a request that meets the session ended by a new password does not lead to the sign-in", async () => {
  const page = await fixture.visit();
  const present = "another horse battery";
  await signIn(page, { ...owner, password: present });
  await page.goto("/account");
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/auth/change-password", async (route) => {
    await answered;
    await route.continue();
  });
  await page.getByLabel("Current password").fill(present);
  await page.getByLabel("New password").fill("third horse battery");
  await page.getByRole("button", { name: "Change it" }).click();

  // The service answers 401 after the end of the old session, until the cookie of the new one arrives.
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/dashboard/api/start")) asked++;
  });
  const refused = page.waitForResponse((response) => response.status() === 401);
  const json = { message: "Sign in to go on." };
  await page.route("**/changes", (route) => route.fulfill({ status: 401, json }), { times: 1 });
  // A page that becomes visible again asks for the changes of its site.
  await page.locator("body").dispatchEvent("visibilitychange", { bubbles: true });
  await refused;
  expect(asked).toBe(0);
  answer();
  await page.getByText("Your password is changed.").waitFor();
  await eventually(async () => asked > 0);
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
});
