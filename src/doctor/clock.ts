import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** The latency of the quickest of some statements, and how far this machine's clock is ahead of the server's. */
export type ClockFacts = { latencyMs: number; aheadMs: number };

const samples = 5;

/** Asks the server for its time several times. Uses the quickest answer, because it is the most accurate. */
export async function readClock(db: Executor, now: () => number): Promise<ClockFacts> {
  const found: ClockFacts[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const [startedMs, started] = [now(), performance.now()];
    const server = await row(
      sql<{ atMs: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs"`,
      db,
    );
    const latencyMs = performance.now() - started;
    found.push({ latencyMs, aheadMs: startedMs + latencyMs / 2 - server!.atMs });
  }
  return found.reduce((best, each) => (each.latencyMs < best.latencyMs ? each : best));
}

const slowMs = 20;
const apartMs = 5_000;
/**
 * Push services refuse a VAPID token that ends more than 24 hours ahead (RFC 8292 section 2). Ours last for 12 to 13
 * hours.
 */
const refusedMs = 3_600_000;

export function assessClock({ latencyMs, aheadMs }: ClockFacts): Finding[] {
  const latency = `${latencyMs.toFixed(1)} ms for a statement`;
  const slow = `${latency}: a send waits for several; bring Pressbell and PostgreSQL closer together`;
  return [
    latencyMs < slowMs ? ok("database latency", latency) : warning("database latency", slow),
    assessDifference(aheadMs),
  ];
}

/** Assesses by how much this machine's clock is ahead of the database's, in ms. */
export function assessDifference(aheadMs: number): Finding {
  const check = "clock";
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const difference = `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's`;
  const advice = "switch on time synchronisation on both (timedatectl set-ntp true)";
  if (Math.abs(aheadMs) >= refusedMs) return failed(check, `${difference}, and push services refuse such: ${advice}`);
  if (Math.abs(aheadMs) >= apartMs) return warning(check, `${difference}: ${advice}`);
  return ok(check, difference);
}
