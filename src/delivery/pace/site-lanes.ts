import type { FinalCode } from "../../runs/codes.ts";
import type { Outcome } from "../answers/read-answer.ts";
import { type CongestionWindow, createCongestionWindow } from "./congestion-window.ts";
import { createSideHosts, type SideHosts } from "./side-hosts.ts";

/** Why a push service refuses all that comes from a site: what `lanes.held_reason` holds. */
export type Refusal = "unauthorized" | "forbidden";

/** So many refusals in a row, and none taken between them, are about our key and not about subscribers. */
const refusalsInARow = 20;
/** From so many on it may be our key: they are not counted against the subscribers. */
const doubtfulInARow = 5;

/** So many of the last answers have to say "too many" before that is about the site, and not about single readers. */
const throttledAtLeast = 5;
const weighedAnswers = 20;

const refusalOfCode: Partial<Record<FinalCode, Refusal>> = { 67: "unauthorized", 68: "forbidden" };

/** What one push service makes of one site's messages, as far as this thread knows. */
export type SiteLane = {
  window: CongestionWindow;
  sideHosts: SideHosts;
  /** How long the service asked this site to wait, from now; 0 where it did not. */
  restMs(): number;
  rest(ms: number): void;
  /**
   * Weighs an outcome with those before it: a wait that may be asked for one reader is, as long as few are asked for. Then it
   * says nothing about the pace, and no rest is left in what is returned.
   */
  weigh(outcome: Outcome): Outcome;
  /**
   * Notes a final code. Returns the refusal once the service has refused so many in a row that the lane is to be held;
   * in `probation` one is enough.
   */
  judge(code: FinalCode): Refusal | undefined;
  /** Whether the last refusals may be about our key. */
  isKeyInDoubt(): boolean;
  /** The lane was held for our key, and this is the first try since: one message at a time, until one is not refused. */
  putOnProbation(): void;
  isOnProbation(): boolean;
};

/** The paces of a delivery thread: one a lane with its hosts, whatever the site, and the rest that a service asked of one site. */
export type SiteLanes = {
  of(siteId: string, lane: string): SiteLane;
  /** The lanes that nothing is to be sent to just now, as they mostly fail. */
  restingLanes(): string[];
};

/** What is the same for every site. */
type Lane = Pick<SiteLane, "window" | "sideHosts">;

export function createSiteLanes(now: () => number, random: () => number): SiteLanes {
  const lanes = new Map<string, Lane>();
  const siteLanes = new Map<string, SiteLane>();

  function laneOf(name: string): Lane {
    const lane = lanes.get(name) ?? {
      window: createCongestionWindow(now, random),
      sideHosts: createSideHosts(name, now, random),
    };
    lanes.set(name, lane);
    return lane;
  }

  return {
    of(siteId, lane) {
      const key = `${siteId} ${lane}`;
      const siteLane = siteLanes.get(key) ?? createSiteLane(laneOf(lane), now);
      siteLanes.set(key, siteLane);
      return siteLane;
    },
    restingLanes: () => [...lanes].flatMap(([name, { window }]) => (window.restMs() > 0 ? [name] : [])),
  };
}

function createSiteLane(lane: Lane, now: () => number): SiteLane {
  let restsUntilMs = 0;
  /** True for a wait that may be a reader's. */
  const answers: boolean[] = [];
  let refusals = 0;
  let probation = false;
  return {
    ...lane,
    restMs: () => Math.max(0, restsUntilMs - now()),
    rest(ms) {
      restsUntilMs = Math.max(restsUntilMs, now() + ms);
    },
    weigh(outcome) {
      if (outcome.effect === "neither") return outcome;
      const isWait = outcome.kind === "retry" && outcome.perhapsReader === true;
      answers.push(isWait);
      if (answers.length > weighedAnswers) answers.shift();
      if (!isWait || answers.filter((wasWait) => wasWait).length >= throttledAtLeast) return outcome;
      return { kind: "retry", effect: "taken", afterMs: outcome.afterMs };
    },
    judge(code) {
      const refusal = refusalOfCode[code];
      refusals = refusal === undefined ? 0 : refusals + 1;
      if (refusal === undefined) probation = false;
      return refusal !== undefined && (probation || refusals >= refusalsInARow) ? refusal : undefined;
    },
    isKeyInDoubt: () => probation || refusals >= doubtfulInARow,
    putOnProbation() {
      probation = true;
    },
    isOnProbation: () => probation,
  };
}
