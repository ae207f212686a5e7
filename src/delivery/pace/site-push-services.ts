import { type AskedWaits, createAskedWaits } from "./asked-waits.ts";
import { type CongestionWindow, createCongestionWindow } from "./congestion-window.ts";
import { createKeyTrust, type KeyTrust, type Refusal } from "./key-trust.ts";
import { createSideHosts, type SideHosts } from "./side-hosts.ts";

/** The state of one push service in this thread, for one site and its key. */
export type SitePushService = {
  window: CongestionWindow;
  sideHosts: SideHosts;
  key: KeyTrust;
  waits: AskedWaits;
  /** Returns how long the push service still rests, ms; 0 if it does not. */
  restMs(): number;
  /** Returns why it rests: the refusal of the site's key, or null if the service asked to wait. */
  restReason(): Refusal | null;
  /**
   * Lets the push service rest for `ms` from now. A longer rest stays. `isThrottle`: several readers' messages got a
   * 429.
   */
  rest(ms: number, reason?: Refusal, isThrottle?: boolean): void;
  /** Records that a message was accepted. */
  recordFlow(): void;
  /**
   * Returns the throttle that is not in the ledger yet, or null. `hasFlowed`: messages were accepted before the
   * throttle.
   */
  takeThrottle(): { hasFlowed: boolean } | null;
};

/**
 * The push services of a delivery thread. The window and the side hosts of a push service are the same for all sites.
 * A rest belongs to one site.
 */
export type SitePushServices = {
  /**
   * Returns the push service of a site that signs with this public VAPID key. Its state does not include experience
   * with another key.
   */
  of(siteId: string, pushService: string, vapidPublicKey: Buffer): SitePushService;
  /** Returns the push services that mostly fail and get nothing now. */
  restingPushServices(): string[];
};

type PushService = Pick<SitePushService, "window" | "sideHosts">;

/** Returns an empty set of push services. `now`: monotonic ms. `random`: 0 to 1, for jitter. */
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
      // A message that was on the wire when the rest began proves nothing about the time after it.
      if (restMs() === 0) hasFlowed = true;
    },
    takeThrottle() {
      const taken = throttle;
      throttle = null;
      return taken;
    },
  };
}
