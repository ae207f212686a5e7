import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeProviderRole } from "../../src/access/provider/roles.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { startIdentityProvider } from "../fixtures/identity-provider.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp } from "./dashboard/sign-in.ts";

const port = await freePort();
const address = `http://localhost:${port}`;
const provider = await startIdentityProvider(address);
const folder = await mkdtemp(join(tmpdir(), "pressbell-provider-"));
afterFile(() => rm(folder, { recursive: true }));
const caFile = join(folder, "ca.pem");
await writeFile(caFile, provider.certificate);
const fixture = await openDashboardFixture({
  PORT: String(port),
  PUBLIC_URL: address,
  NODE_EXTRA_CA_CERTS: caFile,
  ...provider.settings,
  OIDC_NAME: "Example Account",
});
const person = { subject: "1", email: owner.email, emailVerified: true };
let sitePath: string;
let tenantId: string;

beforeAll(async () => {
  const site = await setUp(await fixture.visit(), fixture.app);
  sitePath = `/sites/${site.siteId}`;
  tenantId = site.tenantId;
});

beforeEach(() => {
  provider.person = person;
});

const visit = () => fixture.visit({ baseURL: address, ignoreHTTPSErrors: true });

test("a person signs in by the provider, and gets to the page that they wanted", async () => {
  const page = await visit();
  await page.goto(`${sitePath}/members`);
  const button = page.getByRole("button", { name: "Sign in with Example Account" });
  await button.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/provider.png` });
  await button.click();
  await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
});

test("a person without an account is told what to do, on the sign-in page", async () => {
  provider.person = { subject: "2", email: "stranger@example.org", emailVerified: true };
  const page = await visit();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Example Account" }).click();
  await page.getByText("No account here has your e-mail address.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a new sign-in at the provider in another tab lets an export go on", async () => {
  const page = await visit();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Example Account" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await changeSessions(fixture.app, {}, { authenticatedAt: ago("11 minutes") });
  await page.goto(`${sitePath}/integrations`);
  await page.getByLabel("Name of a new key").fill("CMS");
  await page.getByRole("button", { name: "Make a key" }).click();
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Use Example Account" }).click();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/provider-confirm.png` });
  await (await opened).getByText("Close this tab.").waitFor();
  await page.getByText(/pbk_\w{20,}/).waitFor();
  expect(fixture.faults).toEqual([]);
});

test("a member by a group of the provider works with its role, which the owner cannot change", async () => {
  await changeProviderRole(fixture.app, operatorOf(tenantId), { rule: { group: "desk", role: "viewer" } });
  provider.person = { subject: "3", email: "desk@example.org", emailVerified: true, groups: ["desk"] };
  const page = await visit();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Example Account" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goto(`${sitePath}/members`);
  const row = page.getByRole("row", { name: /desk@example.org/ });
  await row.getByText("by single sign-on").waitFor();
  await row.getByText("Viewer").waitFor();

  provider.person = person;
  const ownerPage = await visit();
  await ownerPage.goto(`${sitePath}/members`);
  await ownerPage.getByRole("button", { name: "Sign in with Example Account" }).click();
  await ownerPage.getByText("by single sign-on").waitFor();
  expect(await ownerPage.getByLabel("Role of desk@example.org").count()).toBe(0);
  expect(await ownerPage.getByLabel(`Role of ${owner.email}`).count()).toBe(1);
  expect(await accessibilityFaults(ownerPage)).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
