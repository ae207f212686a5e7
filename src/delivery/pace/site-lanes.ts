import { type FinalCode, finalCode } from "../../runs/codes.ts";
import type { Outcome } from "../answers/read-answer.ts";
import { type CongestionWindow, createCongestionWindow } from "./congestion-window.ts";
import { createSideHosts, type SideHosts } from "./side-hosts.ts";

/** Why a push service refuses everything that comes from a site: the value of `lanes.held_reason`. */
export type Refusal = "unauthorized" | "forbidden";

const refusalOfCode: Partial<Record<FinalCode, Refusal>> = {
  [finalCode.unauthorized]: "unauthorized",
  [finalCode.forbidden]: "forbidden",
};

/** This many refusals in a row, without an accepted message between them, are about our key and not about subscribers. */
const refusalsOfKey = 20;
/** From this many in a row our key is in doubt: refusals are not counted against subscribers. */
const refusalsOfDoubt = 5;

/** Of the last `weighedAnswers`, this many must ask to wait before the wait is the site's and not single readers'. */
const throttledAtLeast = 5;
const weighedAnswers = 20;

/** What this thread knows of one push service for one site. */
export type SiteLane = {
  window: CongestionWindow;
  sideHosts: SideHosts;
  /** How long the lane still rests, ms; 0 where it does not. */
  restMs(): number;
  /** Why it rests: a refusal of our key, or null where the service asked to wait. */
  restReason(): Refusal | null;
  /** Lets the lane rest for `ms` from now. A longer rest stays. */
  rest(ms: number, reason?: Refusal): void;
  /**
   * Weighs an outcome with those before it. A wait that may be about one reader counts as theirs while few ask for one:
   * it is returned without a rest for the lane, and says nothing about the window.
   */
  weigh(outcome: Outcome): Outcome;
  /**
   * Counts refusals in a row. Returns the refusal where this final code shows that the service refuses our key; on
   * probation one refusal is enough.
   */
  judge(code: FinalCode): Refusal | undefined;
  /** Whether the last refusals may be about our key. */
  isKeyInDoubt(): boolean;
  /** The lane was held for our key, and this is the first claim since: one message at a time until one is not refused. */
  putOnProbation(): void;
  isOnProbation(): boolean;
};

/** The lanes of a delivery thread. Window and side hosts of a lane are the same for all sites; its rests are a site's. */
export type SiteLanes = {
  of(siteId: string, lane: string): SiteLane;
  /** The lanes that mostly fail and get nothing just now. */
  restingLanes(): string[];
};

type Lane = Pick<SiteLane, "window" | "sideHosts">;

/** `now`: monotonic ms. `random`: 0 to 1, for jitter. */
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
  let restReason: Refusal | null = null;
  /** Of the last answers: true for a wait that may be about one reader. */
  const waits: boolean[] = [];
  let refusals = 0;
  let isOnProbation = false;
  const restMs = () => Math.max(0, restsUntilMs - now());
  return {
    ...lane,
    restMs,
    restReason: () => restReason,
    rest(ms, reason) {
      if (restMs() === 0) restReason = null;
      restReason = reason ?? restReason;
      restsUntilMs = Math.max(restsUntilMs, now() + ms);
    },
    weigh(outcome) {
      if (outcome.effect === "neither") return outcome;
      const isWait = outcome.kind === "retry" && outcome.perhapsReader === true;
      waits.push(isWait);
      if (waits.length > weighedAnswers) waits.shift();
      if (!isWait || waits.filter((wasWait) => wasWait).length >= throttledAtLeast) return outcome;
      return { kind: "retry", effect: "taken", afterMs: outcome.afterMs };
    },
    judge(code) {
      const refusal = refusalOfCode[code];
      refusals = refusal === undefined ? 0 : refusals + 1;
      if (refusal === undefined) isOnProbation = false;
      return refusal !== undefined && (isOnProbation || refusals >= refusalsOfKey) ? refusal : undefined;
    },
    isKeyInDoubt: () => isOnProbation || refusals >= refusalsOfDoubt,
    putOnProbation() {
      isOnProbation = true;
    },
    isOnProbation: () => isOnProbation,
  };
}
