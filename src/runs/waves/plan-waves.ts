import { sql } from "kysely";
import { rows, type Tx } from "../../db/pool.ts";
import { zoneOfSubscriber, zonesIn } from "../../subscribers/zone-queries.ts";
import { restWave, variantOfSubscriber } from "../headline-test/assignment.ts";
import type { Assignment, PlannedWaves } from "../ledger/plan-batches.ts";
import type { RunRef } from "../queries.ts";
import type { Timing } from "../timing.ts";
import { waveOfZone } from "./waves.ts";

type PlannedRun = RunRef & {
  timing: Timing;
  messages: number;
  /** The time zone of the site. */
  timeZone: string;
  startedAt: Date;
  ttlSeconds: number;
};

/** Returns which wave the recipients of a page wait for, and which message they get. A new timing needs a case here. */
export async function planWaves(tx: Tx, run: PlannedRun): Promise<PlannedWaves> {
  switch (run.timing.at) {
    case "once":
      return undefined;
    case "localTime":
      return wavesOfZones(tx, run, run.timing);
    case "test":
      return wavesOfTest(run, run.timing);
  }
}

/**
 * Returns a wave for each moment at which the hour comes in one of the time zones of the site's readers. Node.js
 * computes the moments, because a zone that the database does not know would fail the planning of the whole site.
 * Readers whose zone is unknown are in the wave of the site's own zone, under the key ''.
 */
async function wavesOfZones(
  tx: Tx,
  run: PlannedRun,
  { hour, from }: Extract<Timing, { at: "localTime" }>,
): Promise<PlannedWaves> {
  const { siteId, timeZone, startedAt, ttlSeconds } = run;
  const named = [...(await zonesIn(tx, "subscribers", siteId)), ...(await zonesIn(tx, "reader_preferences", siteId))];
  const fromMs = from === null ? startedAt.getTime() : Date.parse(from);
  const zones = [...new Set(["", ...named])].map((zone) => waveOfZone(hour, zone, timeZone, fromMs));
  const numbers = await waveNumbers(
    tx,
    run,
    zones.map(({ at }) => at.getTime()),
  );
  const assignments = zones.map(
    ({ zone, at, utcOffset }): Assignment => ({
      key: zone,
      messageNo: 0,
      wave: { no: numbers.get(at.getTime())!, opensAt: at, utcOffset, ttlSeconds },
    }),
  );
  const keys = zones.map(({ zone }) => zone);
  return {
    key: sql`case when ${zoneOfSubscriber} = any(${keys}::text[]) then ${zoneOfSubscriber} else '' end`,
    assignments,
  };
}

/** Returns the numbers of a run's waves. Stored waves keep their numbers. Only one planner at a time plans a run. */
async function waveNumbers(tx: Tx, { siteId, runId }: RunRef, moments: number[]): Promise<Map<number, number>> {
  const stored = await rows(
    sql<{ no: number; opensAt: Date }>`select no, opens_at as "opensAt" from run_waves
      where site_id = ${siteId} and run_id = ${runId}`,
    tx,
  );
  const numbers = new Map(stored.map(({ no, opensAt }) => [opensAt.getTime(), no]));
  let next = Math.max(0, ...numbers.values()) + 1;
  for (const moment of moments.toSorted((a, b) => a - b)) {
    if (!numbers.has(moment)) numbers.set(moment, next++);
  }
  return numbers;
}

/**
 * Returns the assignments of a headline test. A share of the recipients gets one of the messages. The others wait for
 * the end of the test.
 */
function wavesOfTest(run: PlannedRun, { share }: Extract<Timing, { at: "test" }>): PlannedWaves {
  const rest: Assignment = {
    key: "rest",
    messageNo: 0,
    wave: { no: restWave, opensAt: null, utcOffset: null, ttlSeconds: null },
  };
  const tested = Array.from(
    { length: run.messages },
    (_, no): Assignment => ({
      key: String(no),
      messageNo: no,
      wave: null,
    }),
  );
  const variant = variantOfSubscriber(run, { variants: run.messages, share });
  return { key: sql`coalesce(${variant}::text, ${rest.key})`, assignments: [...tested, rest] };
}
