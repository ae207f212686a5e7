import { type AskedWaits, createAskedWaits } from "./asked-waits.ts";
import { type CongestionWindow, createCongestionWindow } from "./congestion-window.ts";
import { createKeyTrust, type KeyTrust, type Refusal } from "./key-trust.ts";
import { createSideHosts, type SideHosts } from "./side-hosts.ts";

/** What this thread knows of one push service for one site and its key. */
export type SitePushService = {
  window: CongestionWindow;
  sideHosts: SideHosts;
  key: KeyTrust;
  waits: AskedWaits;
  /** How long the push service still rests, ms; 0 where it does not. */
  restMs(): number;
  /** Why it rests: a refusal of our key, or null where the service asked to wait. */
  restReason(): Refusal | null;
  /**
   * Lets the push service rest for `ms` from now. A longer rest stays. `isThrottle`: after a 429 to several readers.
   */
  rest(ms: number, reason?: Refusal, isThrottle?: boolean): void;
  /** Records that a message was accepted. */
  recordFlow(): void;
  /** The throttle that the ledger has not been told of yet; `hasFlowed`: after messages were accepted. Null: none. */
  takeThrottle(): { hasFlowed: boolean } | null;
};

/**
 * The push services of a delivery thread. Window and side hosts of a push service are the same for all sites; its rests
 * are a site's.
 */
export type SitePushServices = {
  /**
   * The push service of a site that signs with this public VAPID key: what was learnt with another key says nothing of
   * it.
   */
  of(siteId: string, pushService: string, vapidPublicKey: Buffer): SitePushService;
  /** The push services that mostly fail and get nothing just now. */
  restingPushServices(): string[];
};

type PushService = Pick<SitePushService, "window" | "sideHosts">;

/** `now`: monotonic ms. `random`: 0 to 1, for jitter. */
export function createSitePushServices(now: () => number, random: () => number): SitePushServices {
  const pushServices = new Map<string, PushService>();
  const sitePushServices = new Map<string, SitePushService>();

  function pushServiceOf(name: string): PushService {
    const pushService = pushServices.get(name) ?? {
      window: createCongestionWindow(now, random),
      sideHosts: createSideHosts(name, now, random),
    };
    pushServices.set(name, pushService);
    return pushService;
  }

  return {
    of(siteId, pushService, vapidPublicKey) {
      const name = `${siteId} ${pushService} ${vapidPublicKey.toString("base64")}`;
      const sitePushService = sitePushServices.get(name) ?? createSitePushService(pushServiceOf(pushService), now);
      sitePushServices.set(name, sitePushService);
      return sitePushService;
    },
    restingPushServices: () => [...pushServices].flatMap(([name, { window }]) => (window.restMs() > 0 ? [name] : [])),
  };
}

function createSitePushService(pushService: PushService, now: () => number): SitePushService {
  let restsUntilMs = 0;
  let restReason: Refusal | null = null;
  let hasFlowed = false;
  let throttle: { hasFlowed: boolean } | null = null;
  const restMs = () => Math.max(0, restsUntilMs - now());
  return {
    ...pushService,
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
