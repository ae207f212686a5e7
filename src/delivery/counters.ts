import { pushServicesOf } from "../subscribers/push-service.ts";

/** How a try to post ended: with the class of its final code, with a retry, or uncertain. */
export const tryOutcomes = ["accepted", "gone", "failed", "retry", "uncertain"] as const;
export type TryOutcome = (typeof tryOutcomes)[number];

/**
 * Upper bounds of the histogram of answers, s. Push services answer within 20 to 200 ms. A try ends within about 15
 * s.
 */
export const answerBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The counters of one push service. `buckets`: the number of answers up to each bound. The last entry counts the
 * longer ones.
 */
export type PushServiceCounters = {
  pushService: string;
  inFlight: number;
  outcomes: Record<TryOutcome, number>;
  buckets: number[];
  secondsOfAnswers: number;
};

/**
 * The counters of the delivery threads of a process since its start. `loopDelaySeconds`: the longest
 * delay of any thread.
 */
export type DeliveryCounters = { pushServices: PushServiceCounters[]; leasesLost: number; loopDelaySeconds: number };

/**
 * The counters that one delivery thread writes. Counting costs a few additions per message. Threads exchange no
 * messages for it.
 */
export type ThreadCounters = {
  /** Counts a message of this push service that goes to the transport. */
  posted(pushService: string): void;
  /** Counts the end of a try that took this many seconds. `outcome`: undefined if the message was not written. */
  ended(pushService: string, outcome: TryOutcome | undefined, seconds: number): void;
  leaseLost(): void;
  /** Records the longest delay of the event loop in the last second, s. */
  loopDelayed(seconds: number): void;
};

/**
 * The memory of one thread's counters, which the process reads. A thread that replaces a dead one continues the counts.
 */
export type CountersMemory = SharedArrayBuffer;

const outcomesAt = 1;
const bucketsAt = outcomesAt + tryOutcomes.length;
const secondsAt = bucketsAt + answerBounds.length + 1;
const placesOfPushService = secondsAt + 1;
const commonPlaces = 2;

/** The name that counts the messages of batches whose origin is no longer in PUSH_SERVICES. */
const other = "other";

function pushServicesWithOther(further: readonly string[]): string[] {
  return [...new Set([...pushServicesOf(further), other])];
}

/** The counters of the delivery threads of a process. */
export type Counters = { ofThread(index: number): CountersMemory; read(): DeliveryCounters };

/**
 * Creates the memory of `threads` counters. `further`: the origins of PUSH_SERVICES. Each counter has one writer, so
 * that no addition is lost.
 */
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

/** Opens the counters of this thread in `memory`. Resets the messages that a dead predecessor had in flight. */
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
