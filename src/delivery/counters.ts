import { pushServicesOf } from "../subscribers/push-service.ts";

/** How a try to post ended: the class of its final code, or that it is tried again or is uncertain. */
export const tryOutcomes = ["accepted", "gone", "failed", "retry", "uncertain"] as const;
export type TryOutcome = (typeof tryOutcomes)[number];

/** Upper bounds of the histogram of answers, s. Push services answer within 20 to 200 ms; a try ends after 30 s. */
export const answerBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * What one push service has in a counters. `buckets`: answers up to each bound, and in the last place those that took
 * longer.
 */
export type PushServiceCounters = {
  pushService: string;
  inFlight: number;
  outcomes: Record<TryOutcome, number>;
  buckets: number[];
  secondsOfAnswers: number;
};

/**
 * What the delivery threads of a process have counted since its start. `loopDelaySeconds`: the longest of any thread.
 */
export type DeliveryCounters = { pushServices: PushServiceCounters[]; leasesLost: number; loopDelaySeconds: number };

/** Where one delivery thread counts. It costs a few additions per message, and no message between threads. */
export type ThreadCounters = {
  /** A message of this push service goes to the transport. */
  posted(pushService: string): void;
  /** Its try has ended: how, and after how long, s. Without an outcome it was not written. */
  ended(pushService: string, outcome: TryOutcome | undefined, seconds: number): void;
  leaseLost(): void;
  /** The longest delay of the event loop in the last second, s. */
  loopDelayed(seconds: number): void;
};

/** Memory of the counters of one thread, which the process reads. A thread that replaces a dead one counts on in it. */
export type CountersMemory = SharedArrayBuffer;

const outcomesAt = 1;
const bucketsAt = outcomesAt + tryOutcomes.length;
const secondsAt = bucketsAt + answerBounds.length + 1;
const placesOfPushService = secondsAt + 1;
const commonPlaces = 2;

/** A batch from before its origin was taken out of PUSH_SERVICES. */
const other = "other";

function pushServicesWithOther(further: readonly string[]): string[] {
  return [...new Set([...pushServicesOf(further), other])];
}

/** The counters of the delivery threads of a process, which posts to the origins `further` (PUSH_SERVICES) too. */
export type Counters = { ofThread(index: number): CountersMemory; read(): DeliveryCounters };

/** Creates the memory of `threads` counters. Each has one writer, so that no addition is lost. */
export function createCounters(further: readonly string[], threads: number): Counters {
  const pushServices = pushServicesWithOther(further);
  const places = commonPlaces + pushServices.length * placesOfPushService;
  const memories = Array.from(
    { length: threads },
    () => new SharedArrayBuffer(places * Float64Array.BYTES_PER_ELEMENT),
  );
  const views = memories.map((memory) => new Float64Array(memory));
  const sum = (place: number) => views.reduce((total, view) => total + view[place]!, 0);
  return {
    ofThread: (index) => memories[index]!,
    read: () => ({
      pushServices: pushServices.map((pushService, i) =>
        readPushService(pushService, (place) => sum(commonPlaces + i * placesOfPushService + place)),
      ),
      leasesLost: sum(0),
      loopDelaySeconds: Math.max(0, ...views.map((view) => view[1]!)),
    }),
  };
}

function readPushService(pushService: string, at: (place: number) => number): PushServiceCounters {
  const outcomes = Object.fromEntries(tryOutcomes.map((outcome, i) => [outcome, at(outcomesAt + i)]));
  return {
    pushService,
    inFlight: at(0),
    outcomes: outcomes as PushServiceCounters["outcomes"],
    buckets: Array.from({ length: answerBounds.length + 1 }, (_, i) => at(bucketsAt + i)),
    secondsOfAnswers: at(secondsAt),
  };
}

/** Opens the counters of this thread in `memory`. What a dead predecessor had in flight is over. */
export function openCounters(memory: CountersMemory, further: readonly string[]): ThreadCounters {
  const view = new Float64Array(memory);
  const pushServices = pushServicesWithOther(further);
  const starts = new Map(pushServices.map((pushService, i) => [pushService, commonPlaces + i * placesOfPushService]));
  const startOf = (pushService: string) => starts.get(pushService) ?? starts.get(other)!;
  for (const start of starts.values()) view[start] = 0;
  const add = (place: number, n: number) => {
    view[place] = view[place]! + n;
  };
  return {
    posted(pushService) {
      add(startOf(pushService), 1);
    },
    ended(pushService, outcome, seconds) {
      const start = startOf(pushService);
      add(start, -1);
      if (outcome === undefined) return;
      add(start + outcomesAt + tryOutcomes.indexOf(outcome), 1);
      const bucket = answerBounds.findIndex((bound) => seconds <= bound);
      add(start + bucketsAt + (bucket < 0 ? answerBounds.length : bucket), 1);
      add(start + secondsAt, seconds);
    },
    leaseLost: () => add(0, 1),
    loopDelayed(seconds) {
      view[1] = seconds;
    },
  };
}
