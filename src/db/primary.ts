import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { urlsOfHosts } from "./database-url.ts";

/** The address of a server, in the form of a `pg` client. */
type Place = { host: string; port: number };

/**
 * The state that a server of the list reports. `timeline`: eight hexadecimal digits that grow with each promotion;
 * undefined if the server takes no writes, as a standby.
 */
export type HostState = { place: Place } & ({ timeline: string | undefined } | { error: Error });

/** How long a server may take to answer. A server that is gone sends nothing, not even a refusal. */
const answerMs = 2_000;
/**
 * How long the other servers may still answer after one takes writes. The first answer may come from a former
 * primary.
 */
const graceMs = 200;
/** How long an answer is used, so that a burst of new connections asks only once. */
const trustMs = 1_000;

/**
 * Returns a class of clients that connect to the server that takes writes, among those of `url` (database-url.ts).
 * New connections look for that server again, so a failover needs no restart.
 */
export function clientOfPrimary(url: string): typeof pg.Client {
  const urls = urlsOfHosts(url);
  let last: { primary: Promise<Place>; atMs: number } | undefined;

  function primary(): Promise<Place> {
    if (last !== undefined && performance.now() - last.atMs < trustMs) return last.primary;
    const asked = { primary: findPrimary(urls), atMs: performance.now() };
    last = asked;
    asked.primary.catch(() => {
      if (last === asked) last = undefined;
    });
    return asked.primary;
  }

  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const found = primary().then((place) => Object.assign(this, place));
      if (callback === undefined) return found.then(() => super.connect());
      found.then(() => super.connect(callback), callback);
      return undefined;
    }
  };
}

/** Asks all servers of `url`. Returns their states in the order of the URL. Never rejects. */
export function askHosts(url: string): Promise<HostState[]> {
  return Promise.all(urlsOfHosts(url).map(askHost));
}

/**
 * Returns the server that takes writes. If several do, returns the one with the latest timeline, because the others
 * were primary before a failover. Rejects with code 25006 if servers answer but none takes writes, or else with the
 * first failure.
 */
async function findPrimary(urls: string[]): Promise<Place> {
  const states: HostState[] = [];
  const asked = urls.map(async (url) => {
    const state = await askHost(url);
    states.push(state);
    if (timelineOf(state) === undefined) throw new Error("takes no writes");
  });
  await Promise.any(asked).catch(() => {});
  if (states.length < urls.length) await Promise.race([Promise.allSettled(asked), delay(graceMs)]);
  const [best] = states
    .filter((state) => timelineOf(state) !== undefined)
    .sort((a, b) => (timelineOf(a)! < timelineOf(b)! ? 1 : -1));
  if (best !== undefined) return best.place;
  const failures = states.flatMap((state) => ("error" in state ? [state.error] : []));
  if (failures.length === states.length) throw failures[0];
  const text = `none of the ${urls.length} hosts takes writes: ${failures.length} cannot be used, the others are standbys`;
  throw Object.assign(new Error(text), { code: "25006" });
}

function timelineOf(state: HostState): string | undefined {
  return "timeline" in state ? state.timeline : undefined;
}

async function askHost(url: string): Promise<HostState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "pressbell hosts",
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  });
  // Without a listener, a lost connection would end this process.
  client.on("error", () => {});
  const place = { host: client.host, port: client.port };
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(
      // A server in recovery has no position to write at, and the function would fail there.
      `select case when not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean
        then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    );
    return { place, timeline: rows[0]!.timeline ?? undefined };
  } catch (error) {
    return { place, error: error as Error };
  } finally {
    client.end().catch(() => {});
  }
}
