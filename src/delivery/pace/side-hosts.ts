import { isSideHost } from "../../subscribers/push-service.ts";
import type { Effect } from "../answers/read-answer.ts";
import { type CircuitBreaker, createCircuitBreaker } from "./circuit-breaker.ts";

/**
 * The most hosts with a breaker. A limit is needed, because a subscription can name any host below a push service's
 * domain.
 */
const hostsAtMost = 1_000;

/**
 * The state of the side hosts of one push service in a thread (see push-service.ts). Each host has its own circuit
 * breaker. A host that mostly fails rests alone and does not delay the rest of its push service
 * (docs/decisions/0011). Times are monotonic ms.
 */
export type SideHosts = {
  /** Returns how long nothing may be sent to this host, ms; 0 if something may. */
  restMs(origin: string): number;
  /** Records that a message goes out to the host. */
  begin(origin: string): void;
  /**
   * Records how a message ended that went out at `begunMs`. Returns the effect on the push service.
   * `isPushServiceFailing`: the push service rests or is probed, and this message may be its probe.
   */
  end(origin: string, begunMs: number, effect: Effect, isPushServiceFailing: boolean): Effect;
};

export function createSideHosts(pushService: string, now: () => number, random: () => number): SideHosts {
  const breakers = new Map<string, CircuitBreaker>();
  /**
   * Hosts that have answered. A host that never answered may not exist, so its faults prove nothing about the push
   * service.
   */
  const answered = new Set<string>();

  function breakerOf(origin: string): CircuitBreaker {
    const known = breakers.get(origin);
    if (known !== undefined) return known;
    if (breakers.size >= hostsAtMost) breakers.delete(breakers.keys().next().value!);
    const breaker = createCircuitBreaker(now, random);
    breakers.set(origin, breaker);
    return breaker;
  }

  /**
   * Records an answer with the host's breaker. Returns whether the breaker was open. If it was, a fault was to be
   * expected.
   */
  function check(origin: string, begunMs: number, isFault: boolean | undefined): boolean {
    const breaker = isFault === true ? breakerOf(origin) : breakers.get(origin);
    if (breaker?.isOpen()) {
      if (breaker.checkProbe(begunMs, isFault)) breakers.delete(origin);
      return true;
    }
    if (isFault !== undefined) breaker?.check(isFault);
    return false;
  }

  return {
    restMs: (origin) => breakers.get(origin)?.restMs() ?? 0,
    begin(origin) {
      const breaker = breakers.get(origin);
      // A probe of the push service may go out while the host rests. It is then not a probe of the host.
      if (breaker?.restMs() === 0) breaker.begin();
    },
    end(origin, begunMs, effect, isPushServiceFailing) {
      if (!isSideHost(pushService, origin)) return effect;
      const wasOpen = check(origin, begunMs, effect === "neither" ? undefined : effect === "fault");
      if (effect !== "fault") {
        if (effect !== "neither") answered.add(origin);
        return effect;
      }
      const isOfPushService = answered.has(origin) && (isPushServiceFailing || !wasOpen);
      return isOfPushService ? "fault" : "neither";
    },
  };
}
