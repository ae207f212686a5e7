import { open } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { exportSite } from "../../src/backup/export-site.ts";
import { importSite } from "../../src/backup/import-site.ts";
import { row, rows } from "../../src/db/pool.ts";
import { createFullSite } from "../erasure/full-site.ts";
import { createTestDatabase, openAppOn, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { passphrase, scratchFolder } from "./fixture.ts";

vi.setConfig({ testTimeout: 60_000 });

/**
 * The tables that do not move with a site, as site-tables.ts names them: data of people, and the present work of
 * processes.
 */
const staying = [
  "autosaved_drafts",
  "editor_devices",
  "editor_nudges",
  "feed_site_claims",
  "registration_quotas",
  "site_roles",
];

/**
 * Columns that get new values in a second installation: ids of audit events, the people who decided, and the state of
 * polls and the hub.
 */
const newThere: Record<string, string[]> = {
  audit_events: ["id"],
  planned_sends: ["user_id", "decided_by"],
  feeds: [
    ...["next_poll_at", "poll_lease_until", "hub_url", "hub_topic", "hub_state", "hub_next_at"],
    ...["hub_lease_until", "hub_notified_at", "hub_missed_at"],
  ],
};

async function tablesOfSites(app: App): Promise<string[]> {
  const found = await rows(
    sql<{ name: string }>`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attname = 'site_id'
        and not a.attisdropped order by 1`,
    app.db,
  );
  return found.map(({ name }) => name);
}

/** Returns the rows of a site in each of these tables. */
async function rowsOf(app: App, siteId: string, tables: string[]): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const name of tables) {
    const left = ["tenant_id", ...(newThere[name] ?? [])];
    const found = await rows(
      sql<{ row: string }>`select (to_jsonb(t) - ${left}::text[])::text as row from ${sql.table(name)} t
        where site_id = ${siteId} order by 1`,
      app.db,
    );
    content[name] = found.map((each) => each.row);
  }
  return content;
}

test("a site arrives with the rows of every table, except those of people and processes", async () => {
  const source = await openTestApp();
  const { publisher } = await createFullSite(source, await serve(source));
  const { siteId } = publisher;
  const tables = await tablesOfSites(source);
  const moving = tables.filter((name) => !staying.includes(name));
  const exported = await rowsOf(source, siteId, moving);
  expect(moving.filter((name) => exported[name]!.length === 0)).toEqual([]);
  const path = join(await scratchFolder(), "site.pressbell");
  const { signal } = new AbortController();
  await exportSite(source, publisher.actor, { siteId, passphrase, output: await open(path, "wx"), path, signal });

  const target = await openAppOn(await createTestDatabase("template"), {});
  const receiver = await createPublisher(target);
  await importSite(target, receiver.actor, { file: path, passphrase });
  const { audit_events: events, ...imported } = await rowsOf(target, siteId, tables);
  const { audit_events: before, ...expected } = exported;
  expect(imported).toEqual({ ...expected, ...Object.fromEntries(staying.map((name) => [name, []])) });
  expect(events).toEqual(expect.arrayContaining(before!));
  expect(await row(sql`select tenant_id as "tenantId" from sites where id = ${siteId}`, target.db)).toEqual({
    tenantId: receiver.tenantId,
  });
});
