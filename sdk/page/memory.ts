import type { OldSubscription } from "../subscription.ts";

/**
 * What a browser stores about a site. These names are in the storage of readers, so never rename them. Times are in
 * ms since 1970.
 */
export type Remembered = {
  /** The subscription that the service has, and when it was last confirmed there. */
  subscription?: OldSubscription | undefined;
  confirmedAt?: number;
  chosen?: string[];
  /** Chosen topics that the service does not have yet. */
  wanted?: string[] | undefined;
  /** The soft prompt is not shown before this time. */
  askAgainAt?: number;
  /**
   * Set if the reader wants notifications, but the browser has not granted the permission or the service has no
   * subscription yet. The value is the version of the prompt to which the reader said yes, or `page`. Older scripts
   * stored `true`.
   */
  saidYes?: string | true | undefined;
  /** True if the browser was asked and its answer has not been counted yet. */
  asked?: boolean | undefined;
  /** The reader's pages and visits so far, counted only up to the number that the prompt waits for. */
  pages?: number;
  visits?: number;
  /** The prompt that the reader sees in the comparison that began at `since`: 0 is the site's own, 1 the other. */
  drawn?: { since: string; place: number };
  /** How many days the soft prompt rests if the browser's question stays open after the next yes. */
  restDays?: number;
  /** True if another push service's subscription was ended for a migration, and the service does not have ours yet. */
  migrated?: boolean | undefined;
  /** True if a test device's link has subscribed the browser, and the service does not know that yet. */
  forTest?: boolean | undefined;
  /** The facts that the page has told last, by the names of the facts. Kept only while the reader is subscribed. */
  told?: Record<string, string> | undefined;
  /** True if the reader has unsubscribed. Only the reader can subscribe again, and the page does not ask. */
  left?: boolean;
};

/**
 * `key`: the name in localStorage. `isBlocked`: returns whether the browser forbids the site to store anything.
 * `keeps`: returns whether a change outlives the page. It does not if the storage is full.
 */
export type Memory = {
  key: string;
  isBlocked(): boolean;
  keeps(): boolean;
  read(): Remembered;
  write(change: Remembered): void;
};

/**
 * Creates the memory of a site, in localStorage. If the browser stores nothing, the memory lasts as long as the page.
 */
export function createMemory(siteId: string): Memory {
  const key = `pressbell.${siteId}`;
  let cached: Remembered = {};
  const works = (use: () => unknown) => {
    try {
      use();
      return true;
    } catch {
      return false;
    }
  };
  return {
    key,
    isBlocked: () => !works(() => localStorage.getItem(key)),
    keeps: () =>
      works(() => {
        localStorage.setItem(`${key}?`, "");
        localStorage.removeItem(`${key}?`);
      }),
    read() {
      works(() => {
        cached = JSON.parse(localStorage.getItem(key) ?? "{}");
      });
      return cached;
    },
    write(change) {
      cached = { ...this.read(), ...change };
      works(() => localStorage.setItem(key, JSON.stringify(cached)));
    },
  };
}
