import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { type Executor, rows } from "../../src/db/pool.ts";
import { addRecurringSend } from "../../src/recurring-sends/change-recurring-sends.ts";
import type { OccurrenceRecord } from "../../src/recurring-sends/recurring-send.ts";
import { sendDueRecurringSends } from "../../src/recurring-sends/recurring-send-poller.ts";
import { type FeedFixture, story, type TestFeed } from "../feeds/fixture.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeItems } from "../fixtures/rows/feeds.ts";
import { changeRecurringSends } from "../fixtures/rows/recurring.ts";

export const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** Adds a recurring send for every day at seven. `source` is `{ feedId }` or `{ topicId }`, with any other fields. */
export async function addDaily(app: App, { actor, siteId }: Publisher, source: object): Promise<string> {
  const body = { days: everyDay, time: "07:00", ...source };
  return (await addRecurringSend(app, actor, { siteId, body })).recurringSendId;
}

/** Creates a feed that suggests these stories, newest first. */
export async function suggestingFeed(
  fixture: FeedFixture,
  publisher: Publisher,
  names: string[],
  settings: object = {},
): Promise<TestFeed> {
  const feed = await fixture.feedWith(publisher, [], { suggest: true, ...settings });
  await suggest(fixture, publisher, feed, names);
  return feed;
}

/** Makes a feed suggest these stories, newest first. */
export async function suggest(
  fixture: FeedFixture,
  publisher: Publisher,
  feed: TestFeed,
  names: string[],
): Promise<void> {
  feed.put(names.map((name) => story(fixture, name)));
  await feed.pollAndSend();
  for (const [hours, name] of names.entries()) {
    const which = { siteId: publisher.siteId, title: `The story of ${name}` };
    await changeItems(fixture.app, which, { publishedAt: ago(`${hours + 1} hours`) });
  }
}

/** Makes the occurrence of `day` due, with a time `minutes` minutes ago. */
export async function makeOccurrenceDue(app: App, id: string, day = "2099-03-01", minutes = 1): Promise<void> {
  await changeRecurringSends(app, { id }, { nextDay: day, nextAt: ago(`${minutes} minutes`) });
}

/** Makes the occurrence of `day` due, and processes all that are due. Returns the result of the occurrence. */
export async function occur(app: App, id: string, day = "2099-03-01", minutes = 1): Promise<Occurred | undefined> {
  await makeOccurrenceDue(app, id, day, minutes);
  await sendDueRecurringSends(app);
  return (await occurredOf(app.db, id)).find((one) => one.day === day);
}

export type Occurred = Omit<OccurrenceRecord, "recurringSendId" | "dueAt">;

/** Returns the results of a recurring send's occurrences, in the order of their days. */
export function occurredOf(on: Executor, id: string): Promise<Occurred[]> {
  return rows(
    sql<Occurred>`select day::text, outcome, reasons, url, title, campaign_id as "campaignId"
      from recurring_occurrences where recurring_send_id = ${id} order by day`,
    on,
  );
}
