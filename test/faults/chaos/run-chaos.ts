import { setTimeout as delay } from "node:timers/promises";
import { startDatabaseProxy } from "../database-proxy.ts";
import { type FaultFixture, openFaultFixture } from "../fixture.ts";
import { now } from "../history.ts";
import { startOwnPostgres } from "../own-postgres.ts";
import { type Random, randomFrom } from "../random.ts";
import { watchRun } from "../watch-run.ts";
import { chooseFault, type Fault, type FaultContext } from "./faults.ts";

export type ChaosOptions = {
  seed: number;
  /** How long faults are injected. */
  seconds: number;
  recipients: number;
  workers: number;
  /** Gets a line of output for each fault. */
  onLine(line: string): void;
};

/**
 * The time within which a run has to end after the last fault. It includes leases, backoff and the rests of push
 * services.
 */
const healedWithinMs = 120_000;
const longestPauseMs = 1_500;
/**
 * The readers of a second publisher, as a share of the first one's. Its run is sent at the same time, and may be
 * stopped.
 */
const othersShare = 0.5;
/** With slower answers, any further delay would miss the deadline of a message. */
const slowestAnswerMs = 3_000;
/** How many messages of a worker are in flight on average during the faults. Faults keep the worker's window small. */
const usuallyInFlight = 60;

/**
 * Sends to all readers while it injects the faults that the seed chooses. Then waits for the end of the runs and checks
 * the history. Returns the violations found and a summary. A run that ends too soon is also reported in `found`.
 */
export async function runChaos(options: ChaosOptions): Promise<{ found: string[]; summary: string }> {
  const postgres = await startOwnPostgres();
  const proxy = await startDatabaseProxy(postgres);
  const { recipients, workers, seconds } = options;
  const fixture = await openFaultFixture({ postgres, proxy, recipients });
  try {
    const other = await fixture.addPublisher(Math.ceil(recipients * othersShare));
    // Answers are slow enough that the run lasts as long as the faults. After the faults the rest is sent quickly.
    const fittingMs = (seconds * 1_000 * workers * usuallyInFlight) / fixture.readers.length;
    const usual = { delayMs: Math.min(fittingMs, slowestAnswerMs) };
    await fixture.push.answerWith(usual);
    await Promise.all([fixture.start("api"), ...Array.from({ length: workers }, () => fixture.start("worker"))]);
    const runs = [(await fixture.send()).runId, (await fixture.send(other)).runId];
    const startedAt = now();
    const firstEnded = fixture.ended(runs[0]!, seconds * 1_000 + healedWithinMs).then(now, now);
    // Reads the run often, so that any 5xx gets into the history.
    const watch = watchRun(fixture, runs[0]!, 200);
    const stoppable = { runId: runs[1]!, apiKey: other.apiKey };
    const injectedAt = await injectFaults({ fixture, postgres, proxy, stoppable, usual }, options);
    const faultsEndedAt = now();
    options.onLine(`no more faults, ${(await fixture.push.stats()).accepted} messages accepted: waiting for the end`);
    await fixture.push.clearBehaviours();
    for (const runId of runs) await fixture.ended(runId, healedWithinMs).catch(() => {});
    await watch.stop();
    const endedAt = await firstEnded;
    const during = injectedAt.filter((at) => at < endedAt).length;
    const found = [...(await fixture.violations()), ...lateFaults(injectedAt, endedAt)];
    const times = `the run lasted ${inSeconds(endedAt - startedAt)} s, the faults ${inSeconds(faultsEndedAt - startedAt)} s`;
    return { found, summary: `${await summaryOf(fixture)}; ${times}, ${during} of ${injectedAt.length} during it` };
  } finally {
    await fixture.close();
    await proxy.close();
    await postgres.close();
  }
}

/**
 * Injects faults for `seconds`. Faults may overlap. If two faults need the same resource, the second waits until the
 * first has ended. Resolves when all faults have ended, with the times at which they began.
 */
async function injectFaults(
  context: Omit<FaultContext, "random">,
  { seed, seconds, onLine }: ChaosOptions,
): Promise<number[]> {
  const random = randomFrom(seed);
  const startedMs = performance.now();
  const elapsed = () => (performance.now() - startedMs) / 1_000;
  const lastOf = new Map<string, Promise<void>>();
  const all: Promise<void>[] = [];
  const injectedAt: number[] = [];
  const inject = async (fault: Fault, own: Random): Promise<void> => {
    const at = elapsed().toFixed(1);
    injectedAt.push(now());
    const description = await fault.inject({ ...context, random: own });
    onLine(`${at.padStart(6)} s  ${fault.name}: ${description}`);
  };
  while (elapsed() < seconds) {
    await delay(random.between(200, longestPauseMs));
    const fault = chooseFault(random);
    const own = randomFrom(random.between(1, 1e9));
    const before = fault.resource === undefined ? undefined : lastOf.get(fault.resource);
    const injected = (before ?? Promise.resolve()).then(() => inject(fault, own));
    if (fault.resource !== undefined) lastOf.set(fault.resource, injected);
    all.push(injected);
  }
  await Promise.all(all);
  return injectedAt;
}

/** Reports a run that ended before half of the faults began: such a run proves little. */
export function lateFaults(injectedAt: number[], endedAt: number): string[] {
  const during = injectedAt.filter((at) => at < endedAt).length;
  if (during * 2 >= injectedAt.length) return [];
  return [`over too soon: only ${during} of ${injectedAt.length} faults began during the run`];
}

function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

async function summaryOf(fixture: FaultFixture): Promise<string> {
  const { runs } = await fixture.evidence();
  const { accepted, repeated } = await fixture.push.stats();
  const deaths = fixture.history.events.filter((event) => event.kind === "process" && event.event === "killed").length;
  const counted = runs.reduce((sum, run) => sum + run.sums.repeated!, 0);
  return `${accepted} messages accepted, ${repeated} of them repeats, ${counted} counted as repeated, ${deaths} processes killed`;
}
