import { setTimeout as delay } from "node:timers/promises";
import { startDatabaseProxy } from "../database-proxy.ts";
import { type FaultFixture, openFaultFixture } from "../fixture.ts";
import { now } from "../history.ts";
import { startOwnPostgres } from "../own-postgres.ts";
import { type Random, randomFrom } from "../random.ts";
import { type Arena, chooseFault, type Fault } from "./faults.ts";

export type ChaosOptions = {
  seed: number;
  /** How long faults strike. */
  seconds: number;
  recipients: number;
  workers: number;
  /** A line for each fault. */
  onLine(line: string): void;
};

/** A run has to end so long after the last fault: leases, backoff and a lane's rest included. */
const healedWithinMs = 120_000;
const longestRestMs = 1_500;
/** The readers of a second publisher, who sends at the same time, beside those of the first: a stop strikes amid them. */
const othersShare = 0.5;
/** Slower answers would come after the deadline of a message as soon as anything holds them up. */
const slowestAnswerMs = 3_000;
/** Messages that a worker has on the way to a push service amid all the faults: its window is small then. */
const usuallyInFlight = 60;

/**
 * Sends to everybody while faults strike that the seed chooses; then heals, waits for the end and checks all that
 * happened. Returns the faults found, that the run was over too soon among them, and what was seen.
 */
export async function runChaos(options: ChaosOptions): Promise<{ found: string[]; summary: string }> {
  const postgres = await startOwnPostgres();
  const proxy = await startDatabaseProxy(postgres.socket);
  const { recipients, workers, seconds } = options;
  const fixture = await openFaultFixture({ postgres, proxy, recipients });
  try {
    const other = await fixture.addPublisher(Math.ceil(recipients * othersShare));
    // So slow an answer that the run lasts as long as the faults; what is left then goes out quickly.
    const fittingMs = (seconds * 1_000 * workers * usuallyInFlight) / fixture.readers.length;
    const usual = { delayMs: Math.min(fittingMs, slowestAnswerMs) };
    await fixture.push.answerWith(usual);
    await Promise.all([fixture.start("api"), ...Array.from({ length: workers }, () => fixture.start("worker"))]);
    const runs = [(await fixture.send()).runId, (await fixture.send(other)).runId];
    const startedAt = now();
    const over = fixture.ended(runs[0]!, seconds * 1_000 + healedWithinMs).then(now, now);
    const watch = watchRun(fixture, runs[0]!);
    const stoppable = { runId: runs[1]!, apiKey: other.apiKey };
    const struckAt = await strikeFor({ fixture, postgres, proxy, stoppable, usual }, options);
    const healedAt = now();
    options.onLine(`healed, with ${(await fixture.push.stats()).accepted} messages taken: waiting for the end`);
    await fixture.push.clearBehaviours();
    for (const runId of runs) await fixture.ended(runId, healedWithinMs).catch(() => {});
    await watch.stop();
    const endedAt = await over;
    const amid = struckAt.filter((at) => at < endedAt).length;
    const found = [...(await fixture.violations()), ...idleFaults(struckAt, endedAt)];
    const lasted = `the run lasted ${inSeconds(endedAt - startedAt)} s, the faults ${inSeconds(healedAt - startedAt)} s`;
    return { found, summary: `${await summaryOf(fixture)}; ${lasted}, ${amid} of ${struckAt.length} amid it` };
  } finally {
    await fixture.close();
    await proxy.close();
    await postgres.close();
  }
}

/**
 * Strikes again and again, without waiting for the last fault to heal: only where two of them would stand on the same
 * ground the second waits for the first. Resolves when all have healed, with when each of them struck.
 */
async function strikeFor(arena: Omit<Arena, "random">, { seed, seconds, onLine }: ChaosOptions): Promise<number[]> {
  const random = randomFrom(seed);
  const startedMs = performance.now();
  const passed = () => (performance.now() - startedMs) / 1_000;
  const held = new Map<string, Promise<void>>();
  const all: Promise<void>[] = [];
  const struckAt: number[] = [];
  const strikeOnce = async (fault: Fault, own: Random): Promise<void> => {
    const at = passed().toFixed(1);
    struckAt.push(now());
    const said = await fault.strike({ ...arena, random: own });
    onLine(`${at.padStart(6)} s  ${fault.name}: ${said}`);
  };
  while (passed() < seconds) {
    await delay(random.between(200, longestRestMs));
    const fault = chooseFault(random);
    const own = randomFrom(random.between(1, 1e9));
    const before = fault.ground === undefined ? undefined : held.get(fault.ground);
    const struck = (before ?? Promise.resolve()).then(() => strikeOnce(fault, own));
    if (fault.ground !== undefined) held.set(fault.ground, struck);
    all.push(struck);
  }
  await Promise.all(all);
  return struckAt;
}

/** A run that was over before half of the faults struck proves little. */
export function idleFaults(struckAt: number[], endedAt: number): string[] {
  const amid = struckAt.filter((at) => at < endedAt).length;
  if (amid * 2 >= struckAt.length) return [];
  return [`over too soon: only ${amid} of ${struckAt.length} faults struck amid the run`];
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

/** Reads a run through the API all the while, so that a 5xx is seen. */
function watchRun(fixture: FaultFixture, runId: string): { stop(): Promise<void> } {
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      await fixture.call("GET", `/v1/runs/${runId}`);
      await delay(200);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
    },
  };
}

async function summaryOf(fixture: FaultFixture): Promise<string> {
  const { runs } = await fixture.evidence();
  const { accepted, repeated } = await fixture.push.stats();
  const deaths = fixture.history.events.filter((event) => event.kind === "process" && event.event === "killed").length;
  const counted = runs.reduce((sum, run) => sum + run.sums.repeated!, 0);
  return `${accepted} messages taken, ${repeated} of them repeats, ${counted} counted as repeated, ${deaths} processes killed`;
}
