import { batchSize } from "../../runs/ledger/plan-batches.ts";
import type { RunSize } from "../../runs/ledger/run-size.ts";

/**
 * The number of messages of this thread that may be uncertain at the same time: their intents are committed, but
 * their outcomes are not. If the thread dies, these messages may be sent twice. Push services have equal shares of
 * the budget. The runs of a push service have equal shares of its share. So neither a slow push service nor a large
 * run takes the part of the others. The messages of one run are limited further (`mostOf`).
 */
export type InFlightBudget = {
  /** The most messages that all batches may hold together. */
  readonly total: number;
  /** Returns the most messages that the batches of one run may hold together. */
  mostOf(run: Run): number;
  /**
   * Starts a batch of the run on this push service with an empty reservation. The batch shares with the others until
   * it leaves.
   */
  enter(pushService: string, run: Run): Reservation;
};

type Run = RunSize & { runId: string };

/** The part of the budget that one batch holds. */
export type Reservation = {
  readonly count: number;
  /** Returns how many messages its run may hold on its push service. */
  share(): number;
  /**
   * Returns how many more messages it may take now. Below 0 if its run holds more than its share, which shrinks when
   * others enter.
   */
  room(): number;
  /** Takes more messages or gives some back, so that it holds `count`. */
  hold(count: number): void;
  /** Updates the size of the run, because more of it is planned than at the claim. */
  resize(size: RunSize): void;
  /** Gives everything back and leaves the shares to the others. */
  leave(): void;
};

/** The default budget of a thread: enough for answers that take 200 ms (docs/decisions/0014). */
const threadAtMost = 10_000;
/**
 * The least budget of a thread. With less, a flush would carry so few messages that the database would cost more than
 * they do.
 */
const threadAtLeast = 100;

/**
 * Divides IN_FLIGHT_MAX among `workers` threads. Returns the number of threads to start, which is lower if each would
 * get too little, and the budget of each.
 */
export function shareOut(inFlightMax: number | undefined, workers: number): { threads: number; budget: number } {
  if (inFlightMax === undefined) return { threads: workers, budget: threadAtMost };
  const threads = Math.min(workers, Math.max(1, Math.floor(inFlightMax / threadAtLeast)));
  return { threads, budget: Math.floor(inFlightMax / threads) };
}

/**
 * The number of sub-batches in a thread's budget. A push service that is alone gets three of them: one is committed
 * and encrypted, one is on the wire, one is being answered. The fourth stays free, so that the next push service does
 * not wait for answers.
 */
const subBatches = 4;
const aloneAtMost = (subBatches - 1) / subBatches;

/** Returns the most intents that one flush writes, in a thread with this budget. */
export function subBatchOf(total: number): number {
  return Math.max(1, Math.floor(total / subBatches));
}

/**
 * The part of one run that a process may have in flight. For a small run it is `ofSmallRun` messages. If a process is
 * killed, no more messages than that are repeated and reported.
 */
const partOfRun = 1 / 10;
const ofSmallRun = 200;

/**
 * The messages of a run on all push services. `held`: how many its batches hold. `most`: how many they may hold.
 * `parts`: the number of its push services.
 */
type Holdings = { held: number; most: number; parts: number };

/** The messages that the batches of a run hold on one push service. */
type Part = { pushService: string; run: Holdings; batches: number; held: number; share: number };

/**
 * Returns the budget of one of the `threads` of a process. `total`: the most messages that the thread may have in
 * flight.
 */
export function createInFlightBudget(total: number, threads = 1): InFlightBudget {
  const runs = new Map<string, Holdings>();
  const parts = new Map<string, Part>();
  let heldByAll = 0;

  function join(name: string, pushService: string, { runId, ...size }: Run): Part {
    const run = runs.get(runId) ?? { held: 0, most: 0, parts: 0 };
    runs.set(runId, run);
    const part = parts.get(name) ?? { pushService, run, batches: 0, held: 0, share: 0 };
    parts.set(name, part);
    if (part.batches++ === 0) run.parts++;
    limit(run, size);
    return part;
  }

  function limit(run: Holdings, size: RunSize): void {
    run.most = mostOfRun(size, threads);
    divide([...parts.values()], total);
  }

  function leave(name: string, runId: string, part: Part): void {
    if (--part.batches === 0) {
      parts.delete(name);
      if (--part.run.parts === 0) runs.delete(runId);
    }
    divide([...parts.values()], total);
  }

  return {
    total,
    mostOf: (run) => runs.get(run.runId)?.most ?? mostOfRun(run, threads),
    enter(pushService, entering) {
      const { runId } = entering;
      const name = `${runId} ${pushService}`;
      const part = join(name, pushService, entering);
      const { run } = part;
      let count = 0;
      const hold = (wanted: number) => {
        part.held += wanted - count;
        run.held += wanted - count;
        heldByAll += wanted - count;
        count = wanted;
      };
      return {
        get count() {
          return count;
        },
        share: () => part.share,
        room: () => Math.min(total - heldByAll, part.share - part.held, run.most - run.held),
        hold,
        resize(size) {
          if (mostOfRun(size, threads) !== run.most) limit(run, size);
        },
        leave() {
          hold(0);
          leave(name, runId, part);
        },
      };
    },
  };
}

/**
 * Returns the most messages of a run that one thread may have in flight. The run's limit is divided among the
 * `threads`, or among its batches if there are fewer.
 */
function mostOfRun({ recipientsOfRun, batchesOfRun }: RunSize, threads: number): number {
  const batches = Math.max(1, batchesOfRun, Math.ceil(recipientsOfRun / batchSize));
  const most = Math.max(ofSmallRun, recipientsOfRun * partOfRun);
  return Math.max(1, Math.floor(most / Math.min(threads, batches)));
}

/** Sets the share of each part: its share of `total`, limited by its share of the run's limit. */
function divide(parts: Part[], total: number): void {
  const byPushService = Map.groupBy(parts, ({ pushService }) => pushService);
  const ofPushService = shareAmong(byPushService.size, total);
  for (const part of parts) {
    const runs = byPushService.get(part.pushService)!.length;
    const share = Math.min(ofPushService / runs, shareAmong(part.run.parts, part.run.most));
    part.share = Math.max(1, Math.floor(share));
  }
}

/** Returns the share of one of `sharers` in `n`. A single sharer leaves a quarter for the next. */
function shareAmong(sharers: number, n: number): number {
  return sharers === 1 ? n * aloneAtMost : n / sharers;
}
