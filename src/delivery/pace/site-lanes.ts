import { type AskedWaits, createAskedWaits } from "./asked-waits.ts";
import { type CongestionWindow, createCongestionWindow } from "./congestion-window.ts";
import { createKeyTrust, type KeyTrust, type Refusal } from "./key-trust.ts";
import { createSideHosts, type SideHosts } from "./side-hosts.ts";

/** What this thread knows of one push service for one site and its key. */
export type SiteLane = {
  window: CongestionWindow;
  sideHosts: SideHosts;
  key: KeyTrust;
  waits: AskedWaits;
  /** How long the lane still rests, ms; 0 where it does not. */
  restMs(): number;
  /** Why it rests: a refusal of our key, or null where the service asked to wait. */
  restReason(): Refusal | null;
  /** Lets the lane rest for `ms` from now. A longer rest stays. `isThrottle`: after a 429 to several readers. */
  rest(ms: number, reason?: Refusal, isThrottle?: boolean): void;
  /** Records that a message was accepted. */
  recordFlow(): void;
  /** The throttle that the ledger has not been told of yet; `hasFlowed`: after messages were accepted. Null: none. */
  takeThrottle(): { hasFlowed: boolean } | null;
};

/** The lanes of a delivery thread. Window and side hosts of a lane are the same for all sites; its rests are a site's. */
export type SiteLanes = {
  /** The lane of a site that signs with this public VAPID key: what was learnt with another key says nothing of it. */
  of(siteId: string, lane: string, vapidPublicKey: Buffer): SiteLane;
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
    of(siteId, lane, vapidPublicKey) {
      const name = `${siteId} ${lane} ${vapidPublicKey.toString("base64")}`;
      const siteLane = siteLanes.get(name) ?? createSiteLane(laneOf(lane), now);
      siteLanes.set(name, siteLane);
      return siteLane;
    },
    restingLanes: () => [...lanes].flatMap(([name, { window }]) => (window.restMs() > 0 ? [name] : [])),
  };
}

function createSiteLane(lane: Lane, now: () => number): SiteLane {
  let restsUntilMs = 0;
  let restReason: Refusal | null = null;
  let hasFlowed = false;
  let throttle: { hasFlowed: boolean } | null = null;
  const restMs = () => Math.max(0, restsUntilMs - now());
  return {
    ...lane,
    key: createKeyTrust(now),
    waits: createAskedWaits(now),
    restMs,
    restReason: () => restReason,
    rest(ms, reason, isThrottle = false) {
      if (isThrottle && restMs() === 0) {
        throttle = { hasFlowed };
        hasFlowed = false;
      }
      if (restMs() === 0) restReason = null;
      restReason = reason ?? restReason;
      restsUntilMs = Math.max(restsUntilMs, now() + ms);
    },
    recordFlow() {
      // What was on the wire as the rest began says nothing of the time after it.
      if (restMs() === 0) hasFlowed = true;
    },
    takeThrottle() {
      const taken = throttle;
      throttle = null;
      return taken;
    },
  };
}
