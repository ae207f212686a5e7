import type { BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../../src/access/roles.ts";
import type { App } from "../../../src/app.ts";
import { createApi } from "../../fixtures/app.ts";
import { setUpToken } from "../../fixtures/set-up.ts";
import { signInAs } from "../../fixtures/sign-in.ts";
import type { DashboardFixture } from "./fixture.ts";

export const owner = { email: "owner@example.org", password: "correct horse battery" };

type NewSite = { tenantId: string; siteId: string; key: string };

/**
 * Opens the set-up link at `base`, fills in the form and opens the dashboard. The default of `base` is the page's own
 * address. Returns the ids and the first API key.
 */
export async function setUpByHand(page: Page, app: App, base = ""): Promise<NewSite> {
  await page.goto(`${base}/?setup=${setUpToken(app)}`);
  await page.getByLabel("E-mail address").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByLabel("Publisher").fill("Example News");
  await page.getByLabel("Name of the site").fill("The Example");
  await page.getByLabel("Address of the site").fill("https://news.example");
  await page.getByLabel("Time zone of the site").selectOption("Europe/Berlin");
  await page.getByLabel("I accept the data processing agreement").check();
  await page.getByRole("button", { name: "Set up Pressbell" }).click();
  const key = await page.getByRole("region", { name: "API key" }).innerText();
  const snippet = await page.getByRole("region", { name: "line for every page" }).innerText();
  const tenantId = /data-tenant="([^"]+)"/.exec(snippet)![1]!;
  await page.getByRole("button", { name: "Open the dashboard" }).click();
  await page.waitForURL(/\/sites\/[0-9a-f-]+$/);
  return { tenantId, siteId: page.url().split("/").at(-1)!, key: key.trim() };
}

/** Sets up the service by its API, and opens the dashboard. Returns the ids and the first API key. */
export async function setUp(page: Page, app: App): Promise<NewSite> {
  const { tenantId, siteId, secret } = await post(page, "set-up", {
    token: setUpToken(app),
    ...owner,
    tenantName: "Example News",
    dpaAccepted: true,
    siteName: "The Example",
    siteUrl: "https://news.example",
    timeZone: "Europe/Berlin",
  });
  await page.goto(`/sites/${siteId}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return { tenantId, siteId, key: secret };
}

/** Signs a person in by the API. It opens no page, because that takes a second. */
export async function signIn(page: Page, member: typeof owner): Promise<void> {
  await post(page, "auth/sign-in/email", member);
}

/** Signs a person in by the API, and opens the overview. */
export async function signInToOverview(page: Page, member: typeof owner): Promise<void> {
  await signIn(page, member);
  await page.goto("/");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** Posts to the API of the dashboard as this page's browser, which then has the session. */
async function post(page: Page, path: string, data: object): Promise<Record<"tenantId" | "siteId" | "secret", string>> {
  const headers = { "user-agent": await page.evaluate<string>("navigator.userAgent") };
  const answer = await page.request.post(`/dashboard/api/${path}`, { data, headers });
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  return answer.json();
}

/** Opens a page in which a new member with `role` is signed in. */
export async function visitAs(
  fixture: DashboardFixture,
  tenantId: string,
  role: Role,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await fixture.visit(options);
  const cookie = await signInAs(fixture.app, createApi(fixture.url), tenantId, role);
  const cookies = cookie.split("; ").map((pair) => {
    const [name, ...value] = pair.split("=");
    return { name: name!, value: value.join("="), url: fixture.url };
  });
  await page.context().addCookies(cookies);
  return page;
}
