import { beforeAll, expect, test, vi } from "vitest";
import { type NewspaperDay, openNewspaperDay } from "../feeds/newspaper-day.ts";
import { rss } from "../fixtures/feed-server.ts";
import { runHere } from "./run-here.ts";

// A command takes a few seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

let day: NewspaperDay;
let url: string;

beforeAll(async () => {
  day = await openNewspaperDay();
  url = `${day.server.origin}/rss.xml`;
  day.server.serve(
    "/rss.xml",
    rss([{ title: "Bridge opens", link: "https://herald.example/bridge", categories: ["City"] }]),
  );
  day.server.publish(
    "/",
    "Herald",
    '<!doctype html><title>x</title><link rel="alternate" type="application/rss+xml" href="/rss.xml" title="All">',
  );
});

const pressbell = (...words: string[]) => runHere(["feeds", ...words], { ...day.settings, LOG_LEVEL: "warn" });

test("the commands discover, try, add, set, list, show and remove a feed", async () => {
  const site = ["--site", day.publisher.siteId];
  expect(await pressbell("discover", ...site, "--url", `${day.server.origin}/`)).toEqual({
    code: 0,
    out: `${url}  All\n`,
    err: "",
  });
  const tried = await pressbell("try", ...site, "--url", url);
  expect(tried).toMatchObject({ code: 0, err: "" });
  expect(tried.out).toMatch(/^title: The Herald$/m);
  expect(tried.out).toMatch(/^categories: City$/m);
  expect(tried.out).toContain("Bridge opens https://herald.example/bridge");

  const added = JSON.parse((await pressbell("add", ...site, "--url", url, "--hourly-limit", "5", "--json")).out);
  expect(added).toMatchObject({ url, hourlyLimit: 5, dailyLimit: 10, atLimit: "skip", override: false });
  const changed = await pressbell("set", "--feed", added.feedId, "--override", "on", "--unmatched", "everyone");
  expect((await pressbell("set", "--feed", added.feedId, "--at-limit", "wait")).out).toMatch(/^atLimit: wait$/m);
  const both = await pressbell("set", "--feed", added.feedId, "--suggest", "on");
  expect(both).toMatchObject({
    code: 1,
    err: expect.stringContaining("--suggest cannot be on together with the override"),
  });
  expect(changed.code).toBe(0);
  expect(changed.err).toMatch(/^The override is on/);
  expect(changed.out).toMatch(/^unmatched: everyone$/m);
  const listed = await pressbell("list", ...site);
  expect(listed.out).toContain(`feedId: ${added.feedId}`);
  expect(listed.out).toMatch(/^items: seen 0, new 0, asked 0, waiting 0, suggested 0, sent 0, skipped 0$/m);
  expect((await pressbell("show", added.feedId)).out).toMatch(/^lastPoll: not yet$/m);
  expect(await pressbell("remove", added.feedId)).toMatchObject({ code: 0 });
  expect(await pressbell("list", ...site)).toEqual({ code: 0, out: "", err: "This site has no feeds.\n" });
});

test("a wrong value is refused by its option, and a page that is not a feed gives exit code 1", async () => {
  const { siteId } = day.publisher;
  const wrong = await pressbell(
    "add",
    "--site",
    siteId,
    "--url",
    "http://herald.example/",
    "--topics",
    "City=nothing",
    "--daily-limit",
    "0",
    "--at-limit",
    "never",
  );
  expect(wrong.code).toBe(1);
  expect(wrong.err).toMatch(/^ {2}--topics topicId must be a UUID$/m);
  expect(wrong.err).toMatch(/^ {2}--daily-limit must be a whole number from 1 to 1,000$/m);
  expect(wrong.err).toMatch(/^ {2}--at-limit must be skip or wait$/m);
  const page = await pressbell("try", "--site", siteId, "--url", `${day.server.origin}/`);
  expect(page).toMatchObject({ code: 1, err: "" });
  expect(page.out).toMatch(/^code: not_a_feed$/m);
  expect(await pressbell("show", "019a0000-0000-7000-8000-000000000000")).toMatchObject({
    code: 1,
    err: "There is no feed 019a0000-0000-7000-8000-000000000000. See pressbell feeds list.\n",
  });
  expect(await pressbell("set", "--feed", siteId)).toMatchObject({ code: 2 });
});
