import type { OldSubscription } from "../subscription.ts";

/** What a browser remembers of a site. Times in milliseconds since 1970. */
export type Remembered = {
  /** The subscription that the service knows, and when it was told last. */
  subscription?: OldSubscription | undefined;
  confirmedAt?: number;
  chosen?: string[];
  /** Topics that were chosen and not yet told. */
  wanted?: string[] | undefined;
  /** Not to be asked before then. */
  askAgainAt?: number;
  /** The reader has left by hand: neither asked nor subscribed again but by hand. */
  left?: boolean;
};

export type Memory = { read(): Remembered; write(change: Remembered): void };

/** The memory of a site in localStorage; where the browser forbids that, as long as the page lasts. */
export function createMemory(siteId: string): Memory {
  const key = `pressbell.${siteId}`;
  let held: Remembered = {};
  return {
    read() {
      try {
        held = JSON.parse(localStorage.getItem(key) ?? "{}");
      } catch {}
      return held;
    },
    write(change) {
      held = { ...this.read(), ...change };
      try {
        localStorage.setItem(key, JSON.stringify(held));
      } catch {}
    },
  };
}
