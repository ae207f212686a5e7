import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import { isDatabaseAway, row, type Tx } from "../db/pool.ts";
import { newId } from "../ids.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";

/**
 * Settings that all delivering processes must share. A process with another value could fail its share of a run for
 * good, or send it in another name.
 */
const agreed = ["PUSH_SERVICES", "VAPID_SUBJECT", "ALLOW_HOSTS", "GRACE_MINUTES"] as const;

/** A process that was not seen for this many seconds has ended without deleting its entry. */
const lapseSeconds = 30;
const renewEveryMs = 10_000;
const retryMs = 2_000;

/** Returns a hash of each setting that must agree. Lists are compared as sets. */
export function hashSettings(config: Config): Record<string, string> {
  const textOf = (value: Config[(typeof agreed)[number]]) =>
    JSON.stringify(Array.isArray(value) ? value.toSorted() : (value ?? null));
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  return Object.fromEntries(agreed.map((name) => [name, hash(textOf(config[name]))]));
}

type Other = { place: string; differing: string[] };

/**
 * Waits until no other process delivers with different settings (`agreed`). Then registers this process as delivering
 * until the returned loop is stopped. It also waits for a database that is away or read-only. While it waits, it logs
 * each reason once. Returns undefined if `stop` comes first.
 */
export async function joinDelivery(
  app: Pick<App, "config" | "db" | "log">,
  stop: AbortSignal,
): Promise<PollLoop | undefined> {
  const self = { id: newId(), place: `${hostname()}, process ${process.pid}`, settings: hashSettings(app.config) };
  let told: string | undefined;
  while (!stop.aborted) {
    const obstacle = await app.db
      .transaction()
      .execute((tx) => enter(tx, self))
      .then(
        (other) => other && `${sayDiffering(other)}; set them alike, or stop that one`,
        (error: unknown) => {
          if (isDatabaseAway(error)) return `the database cannot be used (${(error as Error).message})`;
          throw error;
        },
      );
    if (obstacle === undefined) return keepEntry(app, self);
    if (obstacle !== told) app.log.error(`this process does not deliver: ${obstacle}`);
    told = obstacle;
    await delay(retryMs, undefined, { signal: stop }).catch(() => {});
  }
  return undefined;
}

function sayDiffering({ place, differing }: Other): string {
  return `${differing.join(", ")} differ from those of ${place}, which delivers`;
}

type Self = { id: string; place: string; settings: Record<string, string> };

/**
 * Inserts or renews the entry of a process. If a process with other settings has an entry, returns that process
 * instead.
 */
async function enter(tx: Tx, { id, place, settings }: Self): Promise<Other | undefined> {
  // If two processes start at the same time, the second sees the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('delivering_processes', 0))`.execute(tx);
  await sql`delete from delivering_processes where seen_at < now() - make_interval(secs => ${lapseSeconds})`.execute(
    tx,
  );
  const other = await row(
    sql<Other>`select place, array(select mine.key from jsonb_each_text(${JSON.stringify(settings)}::jsonb) mine
          where p.settings ->> mine.key is distinct from mine.value order by mine.key) as differing
      from delivering_processes p where id <> ${id} and settings <> ${JSON.stringify(settings)}::jsonb
      order by id limit 1`,
    tx,
  );
  if (other !== undefined) return other;
  await sql`insert into delivering_processes (id, place, settings)
    values (${id}, ${place}, ${JSON.stringify(settings)}::jsonb)
    on conflict (id) do update set seen_at = now()`.execute(tx);
  return undefined;
}

function keepEntry({ db, log }: Pick<App, "db" | "log">, self: Self): PollLoop {
  const loop = startPollLoop({
    async round() {
      const other = await db.transaction().execute((tx) => enter(tx, self));
      // This happens only if this process, or the database, stood still until the entry had lapsed.
      if (other !== undefined) log.error(`two processes deliver apart: ${sayDiffering(other)}`);
    },
    everyMs: renewEveryMs,
    firstAfterMs: renewEveryMs,
    onFault: (error) => log.debug({ err: error }, "the entry of this process was not renewed"),
    unref: true,
  });
  return {
    async stop() {
      await loop.stop();
      // If the database is away, the entry lapses.
      await sql`delete from delivering_processes where id = ${self.id}`.execute(db).catch(() => {});
    },
  };
}
