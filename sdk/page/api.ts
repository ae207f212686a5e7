import type { Failure } from "./failure.ts";

/** The state of this browser at the site. docs/sdk.md says what the page can do in each state. */
export type State = "unsupported" | "install" | "denied" | "unsubscribed" | "subscribed";

export type Topics = { all: { topicId: string; name: string }[]; chosen: string[] };

/** The events, and the detail that each passes to its listeners. */
export type Events = {
  ready: { state: State };
  subscribed: { topicIds: string[]; isTest: boolean; label: string | null };
  unsubscribed: undefined;
  topics: Topics;
  denied: undefined;
  dismissed: undefined;
  unsupported: undefined;
  install: undefined;
  failed: Failure;
};

/**
 * The type of `window.pressbell`. Its promises always settle and never reject. The event `failed` reports what went
 * wrong.
 */
export type Pressbell = {
  subscribe(options?: { topicIds?: string[] }): Promise<State>;
  unsubscribe(): Promise<State>;
  topics(): Promise<Topics>;
  setTopics(topicIds: string[]): Promise<Topics>;
  state(): Promise<State>;
  prompt(): Promise<boolean>;
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void;
  push(...calls: Call[]): void;
  /** Counts an outcome of a click on a notification. Only with the script `outcomes.js`. */
  outcome?: (name: string) => void;
};

/** A queued call, made before or after the loader runs: `["subscribe", { … }]`, or a function that gets the API. */
export type Call = [string, ...unknown[]] | ((pressbell: Pressbell) => void);

/**
 * What a page can set as `window.pressbell`, or as properties of the queue there, before the loader runs. Attributes
 * of the script element can set the same. `base`: the address of the service.
 */
export type Given = { tenantId?: string; siteId?: string; base?: string; worker?: string; scope?: string };

declare global {
  interface Window {
    pressbell?: Pressbell | Given | (Call[] & Given) | undefined;
  }
}
