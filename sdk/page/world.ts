import type { Pressbell } from "./api.ts";
import { createEvents, type Emit } from "./events.ts";
import { failureOf } from "./failure.ts";
import { createMemory, type Memory } from "./memory.ts";
import { createSettingsReader, type Settings } from "./settings.ts";
import type { Snippet } from "./snippet.ts";

/** What the operations of a page stand on. */
export type World = {
  snippet: Snippet;
  memory: Memory;
  settings: () => Promise<Settings>;
  on: Pressbell["on"];
  emit: Emit;
};

export function createWorld(snippet: Snippet): World {
  return {
    snippet,
    memory: createMemory(snippet.siteId),
    settings: createSettingsReader(snippet),
    ...createEvents(),
  };
}

/** The outcome of `work`, or undefined where it failed: then the event `failed` has told why. */
export async function attempt<T>({ emit }: World, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    emit("failed", failureOf(error));
  }
}
