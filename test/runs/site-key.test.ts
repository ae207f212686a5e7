import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { addReceipts } from "../../src/receipts/queries.ts";
import { signalsOfRuns } from "../../src/runs/ledger/run-signal.ts";
import { createTestContext, deliverToEnd, subscribeBrowsers } from "../delivery/fixture.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { startPushService } from "../fixtures/push-service/push-service.ts";
import { planAll, start } from "./fixture.ts";

/** Statements that concern several sites, as the decision lists them; each with what is only in its text. */
const crossing: [name: string, part: RegExp][] = [
  ["next run to plan", /pg_try_advisory_xact_lock\(hashtextextended\('plan '/],
  ["run to plan", /plan_cursor as cursor/],
  ["claim", /as probe_no/],
  ["fair share", /min\(other\.served\)/],
  ["runs to end", /end as ending/],
  ["waves to end", /w\.expires_at <= now/],
  ["receipts", /insert into receipt_bits/],
];

let page: string;
/** The tables that the decision distributes. */
let tables: string[];
let app: App;
const texts = new Set<string>();

beforeAll(async () => {
  page = await readFile(new URL("../../docs/decisions/0017-distribution-by-site.md", import.meta.url), "utf8");
  tables = [...page.matchAll(/create_distributed_table\('(\w+)', 'site_id'/g)].map(([, name]) => name!);
  // Before the pool connects, as its clients keep the method.
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const pushService = await startPushService();
    app = await openTestApp({ PUSH_SERVICES: pushService.origin });
    const publisher = await createPublisher(app);
    await subscribeBrowsers(app, publisher, pushService, 30);
    query.mockClear();
    const run = await start(app, publisher);
    await planAll(app);
    await deliverToEnd(app, createTestContext(app, pushService), run);
    const { siteId } = publisher;
    // A worker asks every 250 ms, so a quick run ends without it.
    await signalsOfRuns(app.db, [{ ...run, siteId }]);
    await addReceipts(app.db, [{ ...run, siteId, no: 1, kind: 1, bits: Buffer.from([1]) }]);
    for (const [asked] of query.mock.calls as unknown as [string | { text: string }][])
      texts.add((typeof asked === "string" ? asked : asked.text).replace(/\s+/g, " "));
  } finally {
    query.mockRestore();
  }
});

/**
 * Whether the statement gives the site as a parameter, alone, in a row or in an array of them, and compares or writes
 * it for each distributed table.
 */
function namesSite(text: string): boolean {
  const isGiven =
    /site_id = \$|\((\w+\.)?site_id,[^)]*\) (= |in |values |select )\(?\$|unnest\(\$[^)]*\) as \w+ \(site_id,/.test(
      text,
    );
  const aliases = referencesOf(text).map((alias) => (alias === undefined ? "site_id" : `${alias}\\.site_id`));
  return isGiven && aliases.every((column) => new RegExp(`\\b${column}\\b`).test(text));
}

/** The alias of each distributed table in the statement; undefined for one without. */
function referencesOf(text: string): (string | undefined)[] {
  const keywords = "where|set|on|order|join|left|cross|group|limit|for|values|union|using|select";
  const pattern = `\\b(?:from|join|into|update) (?:${tables.join("|")})\\b(?: as)?(?: (?!(?:${keywords})\\b)(\\w+))?`;
  return [...text.matchAll(new RegExp(pattern, "g"))].map(([, alias]) => alias);
}

test("every statement of a run names the site of each distributed table, or is listed", () => {
  const ofTables = [...texts].filter((text) => referencesOf(text).length > 0);
  expect(ofTables.length).toBeGreaterThan(15);
  const without = ofTables.filter((text) => !namesSite(text));
  expect(without.filter((text) => !crossing.some(([, part]) => part.test(text)))).toEqual([]);
  const found = crossing.filter(([, part]) => without.some((text) => part.test(text))).map(([name]) => name);
  expect([...page.matchAll(/^- \*(.+)\*:/gm)].map(([, name]) => name)).toEqual(found);
});

test("every unique index of a distributed table has the site, or is listed", async () => {
  const found = await rows(
    sql<{ name: string }>`select i.indexrelid::regclass::text as name
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relname = any(${tables}) and i.indisunique and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'site_id' and a.attnum = any(i.indkey))
      order by 1`,
    app.db,
  );
  const dropped = [...page.matchAll(/drop (?:constraint|index) (\w+)/g)].map(([, name]) => name);
  expect(found.map(({ name }) => name)).toEqual(dropped.toSorted());
  // The rest needs Citus.
  for (const [statement] of page.matchAll(/^(alter|drop) .*;$/gm)) await sql.raw(statement).execute(app.db);
});
