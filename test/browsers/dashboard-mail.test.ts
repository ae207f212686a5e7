import { expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { startMailServer } from "../fixtures/mail-server.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp } from "./dashboard/sign-in.ts";

const server = await startMailServer();
const port = await freePort();
const fixture = await openDashboardFixture({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  MAIL_FROM: "push@example.org",
});
const linkIn = (text: string) => /http:\/\/\S+#\S+/.exec(text)![0];

test("with e-mail, invitations and links for forgotten passwords are sent", async () => {
  const ownerPage = await fixture.visit();
  const { siteId } = await setUp(ownerPage, fixture.app);
  await ownerPage.goto(`/sites/${siteId}/members`);
  await ownerPage.getByLabel("E-mail address").fill("new@example.org");
  await ownerPage.getByRole("button", { name: "Send the invitation" }).click();
  await ownerPage.getByText("The link is on its way to new@example.org").waitFor();
  const faults = await accessibilityFaults(ownerPage);
  const page = await fixture.visit();
  await page.goto(linkIn((await server.next("new@example.org")).text));
  await page.getByLabel("Choose a password").fill("a first password");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  const locked = await fixture.visit();
  await locked.goto("/sign-in");
  await locked.getByRole("link", { name: "Forgot your password?" }).click();
  await locked.getByLabel("E-mail address").fill("nobody");
  await locked.getByRole("button", { name: "Send me a link" }).click();
  await locked.getByText("must be an e-mail address").waitFor();
  faults.push(...(await accessibilityFaults(locked)));
  await locked.getByLabel("E-mail address").fill(owner.email);
  await locked.getByRole("button", { name: "Send me a link" }).click();
  await locked.getByText(`If ${owner.email} has an account here`).waitFor();
  faults.push(...(await accessibilityFaults(locked)));
  await locked.goto(linkIn((await server.next(owner.email)).text));
  await locked.getByLabel("New password").fill("a newer password");
  await locked.getByRole("button", { name: "Set it and sign in" }).click();
  await locked.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  // Other sessions with the old password have ended.
  await ownerPage.reload();
  await ownerPage.getByRole("button", { name: "Sign in" }).waitFor();
  expect(faults).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
