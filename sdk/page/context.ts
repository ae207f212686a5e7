import type { Pressbell } from "./api.ts";
import { createEvents, type Emit } from "./events.ts";
import { failureOf } from "./failure.ts";
import { createMemory, type Memory } from "./memory.ts";
import { createSettingsReader, type Settings } from "./settings.ts";
import type { Snippet } from "./snippet.ts";

/** What every operation of the page script needs. */
export type PageContext = {
  snippet: Snippet;
  memory: Memory;
  settings: () => Promise<Settings>;
  on: Pressbell["on"];
  emit: Emit;
  /** While `subscribe` is at work: ends its question with the permission that is set now, or with this one. */
  answered?: ((permission?: NotificationPermission) => void) | undefined;
  /** The browser has refused to look for the site's workers. */
  hasNoWorkers?: boolean;
  /** Settles when the last refresh of the subscription that has begun is over. */
  refreshed?: Promise<unknown>;
};

export function createPageContext(snippet: Snippet): PageContext {
  return {
    snippet,
    memory: createMemory(snippet.siteId),
    settings: createSettingsReader(snippet),
    ...createEvents(),
  };
}

/** Returns the result of `work`. If it fails, emits the event `failed` and returns undefined. */
export async function attempt<T>({ emit }: PageContext, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    emit("failed", failureOf(error));
  }
}
