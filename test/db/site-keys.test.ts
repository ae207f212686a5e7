import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { openTestApp } from "../fixtures/app.ts";

/** Tables that grow with readers or sends. */
const growing = [
  ...["subscribers", "subscriber_topics", "topics", "campaigns", "runs", "run_batches", "run_recipients", "run_totals"],
  ...["run_waves", "site_push_services", "receipt_bits", "receipt_hours", "receipt_minutes"],
];

/** Keys of ids that a caller gives without a site, and one key of a tenant. */
const withoutSite = ["campaigns_id_key", "campaigns_idempotency", "runs_id_key", "topics_id_key"];

test("unique keys of what grows begin with the site, except those of ids and tenants", async () => {
  const app = await openTestApp();
  const found = await rows(
    sql<{ table: string; name: string; first: string }>`select c.relname as table, i.indexrelid::regclass::text as name,
        a.attname as first
      from pg_index i join pg_class c on c.oid = i.indrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where c.relname = any(${growing}) and i.indisunique order by 2`,
    app.db,
  );
  expect(new Set(found.map(({ table }) => table))).toEqual(new Set(growing));
  expect(found.filter(({ first }) => first !== "site_id").map(({ name }) => name)).toEqual(withoutSite);
});
