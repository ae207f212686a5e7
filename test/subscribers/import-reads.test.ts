import { CompiledQuery, sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createSite, type Site } from "../../bench/planning/audience.ts";
import type { App } from "../../src/app.ts";
import type { Tx } from "../../src/db/pool.ts";
import { importStatements } from "../../src/subscribers/import/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";

/** The readers of the site, and the lines of the part that is imported. Half of its lines name readers of the site. */
const readers = 40_000;
const lines = 1_000;

let app: App;
let site: Site;

beforeAll(async () => {
  app = await openTestApp();
  site = await createSite(app, readers, "nobody");
  await sql`insert into left_subscribers (site_id, hash)
    select ${site.siteId}, left_hash(${site.siteId}, decode(md5('left' || i), 'hex')) from generate_series(1, ${readers}) i`.execute(
    app.db,
  );
  await sql`insert into gone_subscribers (site_id, endpoint_hash, auth_hash, topic_ids)
    select ${site.siteId}, decode(md5('gone' || i), 'hex'), decode(md5('auth'), 'hex'), '{}' from generate_series(1, ${readers}) i`.execute(
    app.db,
  );
  await sql`vacuum analyze subscribers, subscriber_topics, left_subscribers, gone_subscribers`.execute(app.db);
});

test.each([
  ["forgetLeft"],
  ["deleteLeftLines"],
  ["mergeSubscribers", null],
  ["deleteReaderLines"],
  ["mergeTopics"],
  ["deleteLeftMeanwhile"],
] as const)("the statement %s of an import reads the rows of its lines, not all of the site", async (name, ...more) => {
  const read = await countRowsRead(app, "any", async (tx) => {
    await insertLines(tx);
    await tx.executeQuery(CompiledQuery.raw(importStatements[name], [site.siteId, ...more]));
  });
  expect(read).toBeGreaterThanOrEqual(lines);
  expect(read).toBeLessThan(10 * lines);
});

async function insertLines(tx: Tx): Promise<void> {
  await sql.raw(importStatements.createLines).execute(tx);
  await sql`insert into import_lines
    select i, 'https://fcm.googleapis.com/fcm/send/' || i, decode(md5(${site.siteId}::text || i), 'hex'),
      decode(repeat('04', 65), 'hex'), decode(repeat('04', 16), 'hex'), 'fcm', true, array[${site.topicId}::uuid]
    from generate_series(${readers - lines / 2}::int + 1, ${readers + lines / 2}::int) i`.execute(tx);
}
