import { isSideHost } from "../../subscribers/push-service.ts";
import type { Effect } from "../answers/read-answer.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";

/** Hosts whose faults are remembered, at most: whoever subscribes can name as many as he likes. */
const hostsAtMost = 1_000;

/**
 * The hosts of one lane beside its main one (push-service.ts), as far as a thread knows. One that mostly fails is left
 * alone by itself, by a breaker of its own, and holds up no other of its push service. Times are monotonic ms.
 */
export type SideHosts = {
  /** How long nothing is to be sent to this host; 0 where something may. */
  restMs(origin: string): number;
  /** A message goes out to it. */
  begin(origin: string): void;
  /**
   * What became of a message that went out at `begunMs`. Returns what that says of the lane. `isLaneFailing`: the lane is
   * resting or probed, and this may be its probe.
   */
  end(origin: string, begunMs: number, effect: Effect, isLaneFailing: boolean): Effect;
};

export function createSideHosts(lane: string, now: () => number, random: () => number): SideHosts {
  const breakers = new Map<string, CircuitBreaker>();
  /** A host that never answered may be nobody's at all: its faults say nothing of the lane. */
  const answered = new Set<string>();

  function breakerOf(origin: string): CircuitBreaker {
    const known = breakers.get(origin);
    if (known !== undefined) return known;
    if (breakers.size >= hostsAtMost) breakers.delete(breakers.keys().next().value!);
    const breaker = createCircuitBreaker(now, random);
    breakers.set(origin, breaker);
    return breaker;
  }

  /** Notes an answer with the host's breaker; whether that was open, and this answer so one that was to be expected. */
  function judge(origin: string, begunMs: number, isFault: boolean | undefined): boolean {
    const breaker = isFault === true ? breakerOf(origin) : breakers.get(origin);
    if (breaker?.isOpen()) {
      if (breaker.judgeProbe(begunMs, isFault)) breakers.delete(origin);
      return true;
    }
    if (isFault !== undefined) breaker?.judge(isFault);
    return false;
  }

  return {
    restMs: (origin) => breakers.get(origin)?.restMs() ?? 0,
    begin(origin) {
      const breaker = breakers.get(origin);
      // A probe of the lane may come while the host rests: it is none of the host's.
      if (breaker?.restMs() === 0) breaker.begin();
    },
    end(origin, begunMs, effect, isLaneFailing) {
      if (!isSideHost(lane, origin)) return effect;
      const wasLeftAlone = judge(origin, begunMs, effect === "neither" ? undefined : effect === "fault");
      if (effect !== "fault") {
        if (effect !== "neither") answered.add(origin);
        return effect;
      }
      const isOfTheLane = answered.has(origin) && (isLaneFailing || !wasLeftAlone);
      return isOfTheLane ? "fault" : "neither";
    },
  };
}
