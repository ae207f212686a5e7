import { sql } from "kysely";
import { expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { openTestApp } from "../fixtures/app.ts";
import { readPage, tableOf } from "./pages.ts";

const page = await readPage("docs/privacy.md");

const columns = ["datum", "purpose", "place", "kept"];
const personalData = ["### Of readers", "### Of staff"].flatMap((title) => tableOf(page.split(title)[1]!, columns));
const places = personalData.flatMap(({ place }) => place!.replaceAll("`", "").split(", "));
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);

test("docs/privacy.md names every table of the schema once, and no other", async () => {
  const app = await openTestApp();
  const schema = await rows(
    sql<{ name: string }>`select relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname not like 'kysely%' order by 1`,
    app.db,
  );
  const others = namesIn(page.split("### Tables without personal data")[1]!.split("\n\n")[1]!);
  expect([...new Set(places), ...others].sort()).toEqual(schema.map(({ name }) => name).sort());
});

test("docs/privacy.md places what has a column of a reader or a person among personal data", async () => {
  const app = await openTestApp();
  const personal = await rows(
    sql<{ name: string }>`select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and not a.attisdropped
        and a.attname in ('subscriber_id', 'subscriber_ids', 'endpoint', 'endpoint_hash', 'user_id', 'email', 'ip_address')`,
    app.db,
  );
  expect(personal.map(({ name }) => name).filter((name) => !places.includes(name))).toEqual([]);
});
