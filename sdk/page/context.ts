import type { Pressbell } from "./api.ts";
import { createEvents, type Emit } from "./events.ts";
import { failureOf } from "./failure.ts";
import { createMemory, type Memory } from "./memory.ts";
import { createSettingsReader, type Settings } from "./settings.ts";
import type { Snippet } from "./snippet.ts";
import { createTurns, type InTurn } from "./turns.ts";

/** What every operation of the page script needs. */
export type PageContext = {
  snippet: Snippet;
  memory: Memory;
  settings: () => Promise<Settings>;
  on: Pressbell["on"];
  emit: Emit;
  /**
   * Set while `subscribe` runs. Ends its question with this permission, or with the current permission if none is
   * given.
   */
  answered?: ((permission?: NotificationPermission) => void) | undefined;
  /** True if the browser has refused to look for the site's workers. */
  hasNoWorkers?: boolean;
  /**
   * Runs the work that registers the subscription, one after another. Otherwise a visit and a change of the
   * permission could both subscribe the reader, and the service could get the older of two choices of topics last.
   */
  inTurn: InTurn;
};

export function createPageContext(snippet: Snippet): PageContext {
  return {
    snippet,
    memory: createMemory(snippet.siteId),
    settings: createSettingsReader(snippet),
    inTurn: createTurns(),
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
