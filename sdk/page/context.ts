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
  /** While `subscribe` is at work: ends its question with the permission that is set now, or with this one. */
  answered?: ((permission?: NotificationPermission) => void) | undefined;
  /** The browser has refused to look for the site's workers. */
  hasNoWorkers?: boolean;
  /**
   * For what registers the subscription: a visit and a change of the permission would both subscribe the reader, and of
   * two choices of topics the service has to get the later one last.
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
