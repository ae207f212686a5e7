import { beforeAll, expect, test } from "vitest";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();

beforeAll(async () => {
  await setUp(await fixture.visit(), fixture.app);
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
