import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const phone = { width: 360, height: 740 };
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
});

const section = (of: Page) => of.getByRole("region", { name: "Key pair" });
const publicKey = (of: Page) => section(of).locator("[data-public-key]").innerText();

/** Returns whether the page is wider than the window. */
const overflows = (of: Page) =>
  of.evaluate<boolean>("document.documentElement.scrollWidth > document.documentElement.clientWidth");

test("an owner confirms the export of the pair, and downloads it as a file", async () => {
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  await section(page).getByRole("button", { name: "Export the key pair" }).click();
  const question = page.getByRole("dialog", { name: "Export the key pair?" });
  await question.getByText("can send to every reader in this site’s name").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await question.getByRole("button", { name: "Do not export" }).click();
  await question.waitFor({ state: "hidden" });
  await section(page).getByRole("button", { name: "Export the key pair" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    question.getByRole("button", { name: "Export the key pair" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`vapid-${ids.siteId}.json`);
  const pair = JSON.parse(await text(await download.createReadStream()));
  expect(pair).toEqual({ publicKey: await publicKey(page), privateKey: expect.stringMatching(/^[\w-]{43}$/) });
});

test("an owner imports a key pair as text or file while the site has no subscribers", async () => {
  const pasted = writeVapidFile(generateVapidPair());
  const wrong = { ...pasted, publicKey: writeVapidFile(generateVapidPair()).publicKey };
  await page.goto(`/sites/${ids.siteId}/subscribers`);
  const field = section(page).getByLabel("Or its text");
  const use = section(page).getByRole("button", { name: "Use this pair" });
  expect(await use.isDisabled()).toBe(true);
  await field.fill(JSON.stringify(wrong));
  await use.click();
  await section(page).getByText("This must have a public key that belongs to its private key.").waitFor();
  await field.fill(JSON.stringify(pasted));
  await use.click();
  await section(page).getByText("The site has this pair now.").waitFor();
  await section(page).getByText(pasted.publicKey, { exact: true }).waitFor();
  expect(await page.content()).not.toContain(pasted.privateKey);

  const fromFile = writeVapidFile(generateVapidPair());
  await page.reload();
  const buffer = Buffer.from(JSON.stringify(fromFile));
  const file = { name: "vapid.json", mimeType: "application/json", buffer };
  await section(page).locator('input[type="file"]').setInputFiles(file);
  await section(page).getByRole("button", { name: "Use this pair" }).click();
  await section(page).getByText(fromFile.publicKey, { exact: true }).waitFor();
});

test("a site with subscribers says why its key pair cannot change, in light, dark and on phones", async () => {
  const actor = operatorOf(ids.tenantId);
  const full = await createSite(fixture.app, actor, fixture.app.db, { name: "Full", url: "https://full.example" });
  await fixture.addReaders(full.siteId, 3);
  await page.setViewportSize(phone);
  for (const siteId of [full.siteId, ids.siteId]) {
    await page.goto(`/sites/${siteId}/subscribers`);
    await section(page).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
    }
  }
  await page.goto(`/sites/${full.siteId}/subscribers`);
  await section(page).getByText("would all be lost").waitFor();
  expect(await section(page).getByRole("button", { name: "Use this pair" }).count()).toBe(0);
});

test("an editor sees no key pair, and the service exports none", async () => {
  const editor = await visitAs(fixture, ids.tenantId, "editor");
  await editor.goto(`/sites/${ids.siteId}/subscribers`);
  await editor.getByLabel("Name of a new test device").waitFor();
  expect(await section(editor).count()).toBe(0);
  const status = await editor.evaluate<number>(
    `fetch("/dashboard/api/tenants/${ids.tenantId}/sites/${ids.siteId}/vapid-pair/export", { method: "POST" })
      .then(({ status }) => status)`,
  );
  expect(status).toBe(403);
  expect(fixture.faults).toEqual([]);
});
