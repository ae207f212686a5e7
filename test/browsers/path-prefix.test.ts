import { expect, test } from "vitest";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { campaignFixtureOf } from "../campaigns/fixture.ts";
import { createApi } from "../fixtures/app.ts";
import { startPrefixProxy } from "../fixtures/prefix-proxy.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUpByHand } from "./dashboard/sign-in.ts";

const proxy = await startPrefixProxy();
const fixture = await openDashboardFixture({ PUBLIC_URL: proxy.base });
proxy.forwardTo(fixture.url);

let site: Awaited<ReturnType<typeof setUpByHand>>;

test("behind a proxy with a path prefix the set-up, the dashboard and the sign-in stay below it", async () => {
  const page = await fixture.visit();
  site = await setUpByHand(page, fixture.app, proxy.base);
  expect(page.url()).toBe(`${proxy.base}/sites/${site.siteId}`);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.getByRole("link", { name: "Subscribers" }).click();
  await page.waitForURL(`${proxy.base}/sites/${site.siteId}/subscribers`);

  await page.getByRole("button", { name: owner.email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  expect(page.url()).toMatch(`${proxy.base}/`);
  await page.goto(`${proxy.base}/account`);
  await page.getByLabel("E-mail address").fill(owner.email);
  await page.getByLabel("Password", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
  expect(page.url()).toBe(`${proxy.base}/account`);
  expect({ faults: fixture.faults, missed: proxy.missed }).toEqual({ faults: [], missed: [] });
});

test("behind a proxy with a path prefix the API, the loader and the links of clicks work", async () => {
  const { tenantId, siteId, key: apiKey } = site;
  const actor = operatorOf(tenantId);
  const config = { ...fixture.app.config, PUBLIC_URL: proxy.base };
  await changeSite({ ...fixture.app, config }, actor, { siteId, linkMode: "redirect" });
  await fixture.addReaders(siteId, 1);
  for (const path of ["/sdk/pressbell.js", "/sdk/prompt.js", `/sdk/sites/${siteId}/worker.js`]) {
    const answer = await fetch(proxy.base + path);
    expect(answer.headers.get("content-type")).toMatch("javascript");
    if (path.endsWith("worker.js")) expect(await answer.text()).toContain(`"base":"${proxy.base}"`);
  }
  const publisher = { tenantId, siteId, apiKey, actor, vapidPublicKey: "" };
  const { draft, post, whenOver } = campaignFixtureOf(fixture.app, createApi(proxy.base), publisher);
  const sent = await post(await draft(), "send");
  expect(sent.status).toBe(202);
  expect(await whenOver(sent.body.runId)).toMatchObject({ accepted: 1 });
  const [message] = fixture.pushService.sample(1);
  const { navigate } = (message!.payload as { notification: { navigate: string } }).notification;
  expect(navigate).toMatch(`${proxy.base}/sdk/click/`);
  const click = await fetch(navigate, { redirect: "manual" });
  expect({ status: click.status, to: click.headers.get("location") }).toEqual({
    status: 302,
    to: "https://news.example/bridge",
  });
  expect(proxy.missed).toEqual([]);
});
