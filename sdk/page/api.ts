import type { Failure } from "./failure.ts";

/** What this browser is to the site: docs/sdk.md says what each state asks of the page. */
export type State = "unsupported" | "install" | "denied" | "unsubscribed" | "subscribed";

export type Topics = { all: { topicId: string; name: string }[]; chosen: string[] };

/** The events, and what their listeners get. */
export type Events = {
  ready: { state: State };
  subscribed: { topicIds: string[]; isTest: boolean; label: string | null };
  unsubscribed: undefined;
  denied: undefined;
  dismissed: undefined;
  unsupported: undefined;
  install: undefined;
  failed: Failure;
};

/** `window.pressbell`. No promise of it rejects, and each one ends: what went wrong is told by the event `failed`. */
export type Pressbell = {
  subscribe(options?: { topicIds?: string[] }): Promise<State>;
  unsubscribe(): Promise<State>;
  topics(): Promise<Topics>;
  setTopics(topicIds: string[]): Promise<Topics>;
  state(): Promise<State>;
  prompt(): Promise<boolean>;
  on<Name extends keyof Events>(name: Name, listener: (detail: Events[Name]) => void): () => void;
  push(...calls: Call[]): void;
};

/** A call that is made before or after the loader is there: `["subscribe", { … }]`, or a function that gets the API. */
export type Call = [string, ...unknown[]] | ((pressbell: Pressbell) => void);

declare global {
  interface Window {
    pressbell?: Pressbell | Call[] | undefined;
  }
}
