import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { readFeed } from "../../src/feeds/read-feeds.ts";
import { countRuns, makePollDue } from "../feeds/fixture.ts";
import { type NewspaperDay, openNewspaperDay, readers } from "../feeds/newspaper-day.ts";
import { eventually } from "../fixtures/eventually.ts";
import { rss } from "../fixtures/feed-server.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { endFeedLeases } from "../fixtures/rows/feeds.ts";
import { setLeases } from "../fixtures/rows/runs.ts";
import { type ServiceProcess, startProcess } from "../fixtures/service-process.ts";

let day: NewspaperDay;
let count = 0;
/** The limit is long, because processes start slowly on a machine that runs other tests. */
const waitBudgetMs = 100_000;

beforeAll(async () => {
  day = await openNewspaperDay();
});

/** Creates a feed, and polls it once while it is empty. */
async function emptyFeed(): Promise<{ feedId: string; path: string }> {
  count += 1;
  const path = `/deaths-${count}.xml`;
  day.server.serve(path, rss([]));
  const { siteId, actor } = day.publisher;
  const input = { siteId, url: day.server.origin + path, hourlyLimit: 100, dailyLimit: 1_000 };
  const { feedId } = await addFeed(day.app, actor, input);
  await pollWork(day.app).untilIdle();
  return { feedId, path };
}

async function itemsOf(feedId: string) {
  return (await readFeed(day.app, day.publisher.actor, { feedId })).items;
}

const startWorker = () => startProcess(["worker"], day.settings);

async function kill(worker: ServiceProcess): Promise<void> {
  worker.process.kill("SIGKILL");
  await worker.ended;
}

/** Ends the leases of all claims that dead processes held. */
async function endLeases(): Promise<void> {
  await endFeedLeases(day.app);
  await setLeases(day.app);
}

/** Serves a page that is answered only after a call of `answer`. */
function delayedPage(path: string, title: string): { asked: Promise<void>; answer(): void } {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  day.server.serve(path, (_request, response) => {
    asked.resolve();
    void answered.promise.then(() => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(articleHtml(title));
    });
  });
  return { asked: asked.promise, answer: answered.resolve };
}

type Death = (feed: { feedId: string; path: string }, name: string) => Promise<void>;

/** Functions that start a worker, wait until it is between two steps, and kill it there. */
const deaths: Record<string, Death> = {
  "while it fetches the feed": async ({ path }, name) => {
    const asked = Promise.withResolvers<void>();
    day.server.serve(path, () => asked.resolve());
    const worker = startWorker();
    await asked.promise;
    await kill(worker);
    day.server.serve(path, feedOf(name));
  },
  "while it reads the story": async ({ feedId, path }, name) => {
    day.server.serve(path, feedOf(name));
    const page = delayedPage(`/stories/${name}`, name);
    const worker = startWorker();
    await page.asked;
    await kill(worker);
    expect(await itemsOf(feedId)).toMatchObject([{ status: "new" }]);
    page.answer();
  },
  "after it has created the campaign, before it sends it": async ({ path }, name) => {
    day.server.serve(path, feedOf(name));
    const page = delayedPage(`/stories/${name}`, name);
    const worker = startWorker();
    await page.asked;
    await holdOpen(day.app, async (tx) => {
      await sql`lock table runs in exclusive mode`.execute(tx);
      page.answer();
      await eventually(async () => (await campaignsOf(name)) === 1);
      await kill(worker);
    });
  },
  "after it has sent the campaign, before it records that on the item": async ({ feedId, path }, name) => {
    day.server.serve(path, feedOf(name));
    const page = delayedPage(`/stories/${name}`, name);
    const worker = startWorker();
    await page.asked;
    const before = await countRuns(day.app, day.publisher.siteId);
    await holdOpen(day.app, async (tx) => {
      await sql`lock table feed_items in exclusive mode`.execute(tx);
      page.answer();
      await eventually(async () => (await countRuns(day.app, day.publisher.siteId)) === before + 1);
      await kill(worker);
      // Without this, PostgreSQL would still execute the statement that the dead process was waiting for.
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(tx);
    });
    expect(await itemsOf(feedId)).toMatchObject([{ status: "new" }]);
  },
};

function feedOf(name: string): string {
  day.server.publish(`/stories/${name}`, name);
  return rss([{ link: `${day.server.origin}/stories/${name}`, guid: name, title: name }]);
}

async function campaignsOf(name: string): Promise<number> {
  const found = await sql<{
    n: number;
  }>`select count(*) as n from campaigns where url like ${`%/stories/${name}`}`.execute(day.app.db);
  return found.rows[0]!.n;
}

test.for(Object.keys(deaths))("an item reaches each reader once when its process dies %s", async (when) => {
  const name = `death-${Object.keys(deaths).indexOf(when)}`;
  const feed = await emptyFeed();
  await makePollDue(day.app, feed.feedId);
  day.pushService.reset();
  await deaths[when]!(feed, name);
  await endLeases();
  await makePollDue(day.app, feed.feedId);
  const successor = startWorker();
  const [item] = await eventually(async () => {
    const items = await itemsOf(feed.feedId);
    return items[0]?.status === "sent" && items;
  }, waitBudgetMs);
  await eventually(async () => day.pushService.stats().accepted >= readers, waitBudgetMs);
  await eventually(async () => {
    const run = await sql<{ status: string }>`select status from runs where id = ${item!.runId}`.execute(day.app.db);
    return run.rows[0]!.status === "completed";
  }, waitBudgetMs);
  expect(day.pushService.stats()).toMatchObject({ distinctSubscriptionsAccepted: readers, accepted: readers });
  expect(await campaignsOf(name)).toBe(1);
  successor.process.kill("SIGTERM");
  expect(await successor.ended).toBe(0);
});

test("a killed process's story is read by another within 20 s", async () => {
  const name = "taken-over";
  const { feedId, path } = await emptyFeed();
  day.pushService.reset();
  const asked = Promise.withResolvers<void>();
  const askedAgain = Promise.withResolvers<number>();
  const [victim, successor] = [startWorker(), startWorker()];
  await Promise.all([victim.printed(/delivering with/), successor.printed(/delivering with/)]);
  successor.process.kill("SIGSTOP");
  day.server.serve(path, feedOf(name));
  let asks = 0;
  day.server.serve(`/stories/${name}`, (_request, response) => {
    if (asks++ === 0) return asked.resolve();
    askedAgain.resolve(performance.now());
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(articleHtml(name));
  });
  await makePollDue(day.app, feedId);
  await asked.promise;
  const killedMs = performance.now();
  await kill(victim);
  successor.process.kill("SIGCONT");
  expect((await askedAgain.promise) - killedMs).toBeLessThan(scaleByLoad(20_000));
  await eventually(async () => (await itemsOf(feedId))[0]?.status === "sent", waitBudgetMs);
  await eventually(async () => day.pushService.stats().accepted >= readers, waitBudgetMs);
  expect(day.pushService.stats()).toMatchObject({ distinctSubscriptionsAccepted: readers, accepted: readers });
  successor.process.kill("SIGTERM");
  expect(await successor.ended).toBe(0);
});

test("three processes that poll the same feeds send each story once", async () => {
  const feeds: { feedId: string; path: string }[] = [];
  for (let n = 0; n < 6; n++) feeds.push(await emptyFeed());
  day.pushService.reset();
  const before = await countRuns(day.app, day.publisher.siteId);
  const workers = [startWorker(), startWorker(), startWorker()];
  // Each story is in two feeds, with a different guid in each.
  const names = ["a", "b", "c", "d", "e", "f"].map((letter) => `shared-${letter}`);
  for (const name of names) day.server.publish(`/stories/${name}`, name);
  const item = (name: string, guid: string) => ({ link: `${day.server.origin}/stories/${name}`, guid, title: name });
  for (const [n, { path }] of feeds.entries()) {
    const [one, two] = [names[n]!, names[(n + 1) % 6]!];
    day.server.serve(path, rss([item(one, `${n} ${one}`), item(two, `${n} ${two}`)]));
  }
  await Promise.all(workers.map((worker) => worker.printed(/delivering with/)));
  // All processes poll at once, three times. The second process to poll a feed finds nothing new.
  for (let round = 0; round < 3; round++) {
    const polled = new Date();
    await Promise.all(feeds.map(({ feedId }) => makePollDue(day.app, feedId)));
    await eventually(async () => {
      const ids = feeds.map(({ feedId }) => feedId);
      const left = await sql`select from feeds where id = any(${ids}::uuid[]) and polled_at < ${polled}`.execute(
        day.app.db,
      );
      return left.rows.length === 0;
    }, waitBudgetMs);
  }
  await eventually(async () => (await countRuns(day.app, day.publisher.siteId)) >= before + names.length, waitBudgetMs);
  await eventually(async () => {
    const open = await sql`select from feed_items where status in ('new', 'waiting')`.execute(day.app.db);
    return open.rows.length === 0;
  }, waitBudgetMs);
  await eventually(async () => day.pushService.stats().accepted >= readers * names.length, waitBudgetMs);
  expect(await countRuns(day.app, day.publisher.siteId)).toBe(before + names.length);
  for (const name of names) expect(await campaignsOf(name)).toBe(1);
  for (const worker of workers) worker.process.kill("SIGTERM");
  expect(await Promise.all(workers.map((worker) => worker.ended))).toEqual([0, 0, 0]);
});
