import { beforeAll, expect, test } from "vitest";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit, type VisitOptions } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

/** The link of a test device promises only its test notifications, whatever happens to the link. */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

async function openLink({ service, visit }: ReaderSite, options: VisitOptions = {}): Promise<Visit> {
  const opened = await visit({ ...options, path: `/${await service.testFragment("Desk phone")}` });
  await opened.page.getByRole("button", { name: "Yes, please" }).click();
  return opened;
}

function registrations({ service }: ReaderSite): unknown[] {
  return bodiesPostedTo(service, "/subscriptions");
}

/** Visits the site, and expects that the visit subscribes nobody. */
async function expectNobody(site: ReaderSite, options: VisitOptions = {}): Promise<Visit> {
  const before = registrations(site).length;
  const next = await site.visit(options);
  await next.run("pressbell.topics()");
  expect(await next.run("pressbell.state()")).toBe("unsubscribed");
  expect(registrations(site)).toHaveLength(before);
  return next;
}

test("a link whose permission comes later makes the browser no reader", async () => {
  const site = await fixture.newSite();
  const opened = await openLink(site, { answer: "default" });
  await opened.event("dismissed");
  await expectNobody(site, { permission: "granted" });
});

test.each([503, 400])("a link that the service answers with %i makes the browser no reader", async (status) => {
  const site = await fixture.newSite();
  site.service.refusal = { status, message: "Not now." };
  const opened = await openLink(site);
  expect(await opened.event("failed")).toMatchObject({ reason: "service" });
  await opened.page.getByText("Not now.", { exact: true }).waitFor();
  site.service.refusal = undefined;
  expect(await opened.run("pressbell.state()")).toBe("unsubscribed");
  const next = await expectNobody(site);
  expect(await next.run("pressbell.subscribe()")).toBe("subscribed");
  expect(registrations(site).at(-1)).toMatchObject({ consent: "page" });
});

test("a link whose page is closed before the service answers makes the browser no reader", async () => {
  const site = await fixture.newSite();
  const opened = await openLink(site, {
    before: `window.fetch = ((real) => (url, ...rest) =>
      url.endsWith("/subscriptions") ? new Promise(() => {}) : real(url, ...rest))(fetch)`,
  });
  await opened.page.waitForFunction("localStorage['test.subscription']");
  await opened.page.close();
  await expectNobody(site);
});

test("a reader whose test link fails stays a reader, with the same subscription", async () => {
  const site = await fixture.newSite();
  const reader = await site.visit();
  await reader.run("pressbell.subscribe()");
  site.service.refusal = { status: 503, message: "Try again." };
  const opened = await openLink(site);
  await opened.event("failed");
  expect(await opened.run("pressbell.state()")).toBe("subscribed");
  expect(await opened.run("localStorage['test.subscription']")).toBe(
    await reader.run("localStorage['test.subscription']"),
  );
});
