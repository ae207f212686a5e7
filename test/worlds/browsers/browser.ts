/** A nudge that stands on the reader's desktop. */
export type Nudge = { title: string; body: string };

/** What a reader can answer to the browser's question. "prompt": has not been asked yet. */
export type Permission = "granted" | "denied" | "prompt";

/**
 * A real browser with a fresh profile and one reader before it. Its push service is the simulator: what that accepts
 * for one of its endpoints, the browser receives, decrypts and shows.
 */
export type Browser = {
  /** The folder of its profile. */
  home: string;
  /**
   * What must stand before each worker's script, for its endpoints to be the simulator's; and in each page that a worker
   * opens, which may run before the browser's driver has come to it.
   */
  prelude: string;
  /** Opens `url` in the tab that the reader is in, and resolves once the page has loaded. */
  open(url: string): Promise<void>;
  /** Goes to the tab whose address begins with `url`, once there is one. */
  enter(url: string): Promise<void>;
  /** Runs the body of an async function, which finds its `args` by that name, in the page of that tab. JSON in and out. */
  inPage<T>(body: string, ...args: unknown[]): Promise<T>;
  /** Presses the button (or link) of that text with a real click, once there is one; open shadow roots are looked into. */
  press(text: string): Promise<void>;
  /** Sets what the reader has answered for `origin`. */
  permit(origin: string, answer: Permission): Promise<void>;
  /** Says no to the browser's own question, once it is asked. Chromium without a screen says no by itself. */
  refuse(): Promise<void>;
  /** The nudges that stand on the desktop, oldest first. */
  nudges(): Promise<Nudge[]>;
  /** Clicks on the nudge of this title, as the reader would. */
  click(title: string): Promise<void>;
  /** Closes the nudge of this title without a click. */
  dismiss(title: string): Promise<void>;
  /** The addresses of all open tabs. */
  tabs(): Promise<string[]>;
  /** Ends every process and removes the profile. */
  close(): Promise<void>;
};
