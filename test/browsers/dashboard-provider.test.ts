import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { afterFile } from "../fixtures/cleanup.ts";
import { freePort } from "../fixtures/free-port.ts";
import { startIdentityProvider } from "../fixtures/identity-provider.ts";
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
  ...{ PORT: String(port), PUBLIC_URL: address, NODE_EXTRA_CA_CERTS: caFile },
  ...{ ...provider.settings, OIDC_NAME: "Example Account" },
});
const person = { subject: "1", email: owner.email, emailVerified: true };
let sitePath: string;

beforeAll(async () => {
  const { siteId } = await setUp(await fixture.visit(), fixture.app);
  sitePath = `/sites/${siteId}`;
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
