import { beforeAll, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

const token = "a-Token_of_43_characters".padEnd(43, "x");
const atMs = Date.UTC(2027, 2, 1, 9);
const minuteMs = 60_000;
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

const long = `<article><h1>Bridge opens</h1><div style="height:5000px"></div></article>`;

/** Creates a site with a long article at `/story` and another page at `/next`. Both count what follows a click. */
async function newSite(attributes = ""): Promise<ReaderSite> {
  const reader = await fixture.newSite();
  const script = `<script>seen = []</script><script async src="${reader.service.base}/sdk/outcomes.js" ${attributes}></script>`;
  reader.site.put("/story", `${script}${long}<a href="/next">Next</a>`);
  reader.site.put("/next", script);
  return reader;
}

const countsOf = ({ service }: ReaderSite) =>
  (bodiesPostedTo(service, "/counts") as { count: string; outcome?: string; token?: string }[])
    .filter(({ count }) => count === "outcome")
    .map(({ outcome, token: of }) => [outcome, of]);

const isReady = ({ page }: Visit) => page.waitForFunction("window.pressbell?.outcome");
const toTheEnd = ({ run }: Visit) => run("scrollTo(0, document.documentElement.scrollHeight)");

test("an article counts as read once its end was in view and ten seconds have passed", async () => {
  const reader = await newSite();
  const visit = await reader.visit({ path: `/story#pressbell-${token}`, atMs });
  await isReady(visit);
  await toTheEnd(visit);
  await visit.advance(9_000);
  expect(countsOf(reader)).toEqual([]);
  await visit.advance(2_000);
  await eventually(async () => countsOf(reader).length > 0);
  await toTheEnd(visit);
  await visit.advance(minuteMs);
  expect(countsOf(reader)).toEqual([["read", token]]);
});

test("an article whose end was never in view does not count as read", async () => {
  const reader = await newSite();
  const visit = await reader.visit({ path: `/story#pressbell-${token}`, atMs });
  await isReady(visit);
  await visit.advance(5 * minuteMs);
  await visit.run(`pressbell.outcome("registered")`);
  await eventually(async () => countsOf(reader).length > 0);
  expect(countsOf(reader)).toEqual([["registered", token]]);
});

test("a second page counts once, and so does what the site says by code or attribute", async () => {
  const reader = await newSite(`data-outcome="registered"`);
  const visit = await reader.visit({ path: `/story#pressbell-${token}`, atMs });
  await isReady(visit);
  await visit.page.getByText("Next").click();
  await visit.page.waitForURL("**/next");
  await isReady(visit);
  await visit.page.reload();
  await isReady(visit);
  for (const name of ["subscribed", "subscribed", "Not a name"]) await visit.run(`pressbell.outcome("${name}")`);
  await eventually(async () => countsOf(reader).length >= 3);
  expect(countsOf(reader)).toEqual([
    ["registered", token],
    ["second_page", token],
    ["subscribed", token],
  ]);
});

test("a page that changes its address without loading is a second page", async () => {
  const reader = await newSite();
  const visit = await reader.visit({ path: `/story#pressbell-${token}`, atMs });
  await isReady(visit);
  await visit.run(`history.pushState(null, "", "/another")`);
  await eventually(async () => countsOf(reader).length > 0);
  expect(countsOf(reader)).toEqual([["second_page", token]]);
});

test("without a click, and half an hour after it, nothing is counted or stored", async () => {
  const reader = await newSite();
  const visit = await reader.visit({ path: "/story", atMs });
  await isReady(visit);
  await visit.run(`pressbell.outcome("registered")`);
  expect(await visit.run("sessionStorage.length")).toBe(0);
  const late = await reader.visit({ path: `/story#pressbell-${token}`, atMs });
  await isReady(late);
  await late.advance(31 * minuteMs);
  await late.run(`pressbell.outcome("registered")`);
  const next = await reader.visit({ path: `/story#pressbell-${token}`, atMs });
  await isReady(next);
  await next.run(`pressbell.outcome("subscribed")`);
  await eventually(async () => countsOf(reader).length > 0);
  expect(countsOf(reader)).toEqual([["subscribed", token]]);
});

test("the click that the worker has reported is not reported again, and counts what follows", async () => {
  const reader = await newSite();
  const visit = await reader.visit({ path: `/story#top-pressbell-${token}0`, atMs });
  await isReady(visit);
  expect(visit.page.url()).toBe(`${reader.site.origin}/story#top`);
  await visit.run(`pressbell.outcome("registered")`);
  await eventually(async () => countsOf(reader).length > 0);
  expect(bodiesPostedTo(reader.service, "/events")).toEqual([]);
});
