import { beforeAll, expect, test } from "vitest";
import { readPage } from "../../docs/pages.ts";
import { openReaderFixture, type ReaderFixture } from "./fixture.ts";

let fixture: ReaderFixture;
let page: string;

beforeAll(async () => {
  page = await readPage("docs/sdk.md");
  fixture = await openReaderFixture();
});

test("every example of docs/sdk.md runs, in order", async () => {
  const { visit } = await fixture.newSite();
  const { run, event, events } = await visit();
  await event("ready");
  await run("pressbell.subscribe()");
  const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code!);
  expect(examples).toHaveLength(8);
  for (const example of examples) await run(`(async () => { ${example} })()`);
  expect(await events()).not.toContain("failed");
});

test("the content security policy of docs/sdk.md is sufficient for pages and workers", async () => {
  const [policy] = /^script-src https:.*$/m.exec(page)!;
  const { service, site, visit } = await fixture.newSite();
  const { origin } = new URL(service.base);
  site.headers["content-security-policy"] =
    `default-src 'none'; ${policy.replaceAll("https://push.example.org", origin)}`;
  site.put("/", `<pressbell-bell></pressbell-bell><script async src="${service.base}/sdk/elements.js"></script>`);
  const watch = "seen = []; addEventListener('securitypolicyviolation', ({ blockedURI }) => seen.push(blockedURI))";
  const { page: tab, run } = await visit({ before: watch });
  await tab.waitForFunction("window.pressbell");
  await run("pressbell.prompt()");
  await tab.getByRole("button", { name: "Yes, please" }).click();
  await tab.waitForFunction("pressbell.state().then((state) => state === 'subscribed')");
  await tab.locator("pressbell-bell[state=subscribed]").getByRole("button").waitFor();
  expect(await run("seen")).toEqual([]);
});
