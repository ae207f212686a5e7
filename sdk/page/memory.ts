import type { OldSubscription } from "../subscription.ts";

/** What a browser stores about a site. Stored under these names: never rename them. Times in ms since 1970. */
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
   * The reader wants notifications, but the browser has not granted the permission or the service has no subscription
   * yet. The version of the prompt to which they said so, or `page`; `true` from before that was kept.
   */
  saidYes?: string | true | undefined;
  /** The browser was asked, and its answer has not been counted yet. */
  asked?: boolean | undefined;
  /** The pages and visits of the reader before the site asks, counted up to what it waits for. */
  pages?: number;
  visits?: number;
  /** Which of two prompts the reader sees in the comparison since that time: 0 is the site's own, 1 the other. */
  drawn?: { since: string; place: number };
  /** How many days the soft prompt rests after the next yes that the browser's question leaves open. */
  restDays?: number;
  /** A former subscription was ended to migrate its reader, and the service does not have ours yet. */
  migrated?: boolean | undefined;
  /** The browser has been subscribed by a test device's link, and the service does not have that yet. */
  forTest?: boolean | undefined;
  /** What the page has said of its reader last, by the names of the facts. Not kept where nobody is subscribed. */
  told?: Record<string, string> | undefined;
  /** The reader has unsubscribed: only they can subscribe again, and the page does not ask. */
  left?: boolean;
};

/**
 * `key`: its name in localStorage. `isBlocked`: whether the browser forbids the site to store anything. `keeps`: whether
 * a change outlives the page; not where all the room is taken.
 */
export type Memory = {
  key: string;
  isBlocked(): boolean;
  keeps(): boolean;
  read(): Remembered;
  write(change: Remembered): void;
};

/** Creates the memory of a site, in localStorage. If the browser does not keep it, it lasts as long as the page. */
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
