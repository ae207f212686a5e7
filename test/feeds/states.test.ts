import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type ItemStatus, itemMoves } from "../../src/feeds/items/states.ts";
import { newId } from "../../src/ids.ts";
import { readPage, tableOf } from "../docs/pages.ts";
import { type FeedFixture, openFeedFixture } from "./fixture.ts";

let fixture: FeedFixture;
let feedId: string;

const statuses = Object.keys(itemMoves) as ItemStatus[];
const pairs = statuses.flatMap((from) => statuses.filter((to) => to !== from).map((to) => [from, to] as const));

beforeAll(async () => {
  fixture = await openFeedFixture();
  ({ feedId } = await fixture.feedWith(fixture.publisher, []));
});

test.for(pairs)(
  "the database allows the move of an item from %s to %s exactly if the code does",
  async ([from, to]) => {
    const id = newId();
    const run = (status: ItemStatus) => (status === "sent" ? newId() : null);
    const due = (status: ItemStatus) => (status === "new" || status === "waiting" ? new Date() : null);
    const { siteId } = fixture.publisher;
    await sql`insert into feed_items (site_id, id, feed_id, status, run_id, due_at)
    values (${siteId}, ${id}, ${feedId}, ${from}, ${run(from)}, ${due(from)})`.execute(fixture.app.db);
    const moving =
      sql`update feed_items set status = ${to}, run_id = ${run(to)}, due_at = ${due(to)} where id = ${id}`.execute(
        fixture.app.db,
      );
    if ((itemMoves[from] as readonly string[]).includes(to)) await moving;
    else await expect(moving).rejects.toThrow(`may not move from ${from} to ${to}`);
  },
);

test("docs/states.md lists the moves of an item of a feed", async () => {
  const page = await readPage("docs/states.md");
  const chapter = page.split(/^## /m).find((part) => part.startsWith("An item of a feed"))!;
  const rows = tableOf(chapter, ["from", "may move to"]);
  const documented = Object.fromEntries(rows.map((row) => [row.from, row["may move to"]!.split(", ").filter(Boolean)]));
  const moves = Object.entries(itemMoves).filter(([, to]) => to.length > 0);
  expect(documented).toEqual(Object.fromEntries(moves));
});
