import type { State, Topics } from "../page/api.ts";
import { askFollows } from "../page/follows.ts";
import type { Loaded } from "../page/pressbell.ts";

/**
 * What the elements show. `preferencesUrl`: the page on which readers choose, if the site has one. `stories`: the ids
 * that the reader follows, or undefined if they cannot be read.
 */
export type Status = Topics & { state: State; preferencesUrl: string | null; stories: string[] | undefined };

/** `watch` calls the listener with the status and with each later one. It returns a function that stops this. */
export type StatusReader = {
  watch(listener: (status: Status) => void): () => void;
  refresh(): Promise<void>;
};

/**
 * Creates a reader of the status that all elements share. It reads the status again whenever it may have changed:
 * after a call of the page, in another tab, in the browser's controls, or when the reader goes back to a page that
 * the browser has kept.
 */
export function createStatusReader(pressbell: Loaded): StatusReader {
  const listeners = new Set<(status: Status) => void>();
  let status: Status | undefined;
  let reads = 0;
  const refresh = async () => {
    const mine = ++reads;
    const read = await readStatus(pressbell);
    if (mine !== reads) return;
    status = read;
    for (const listener of listeners) listener(read);
  };
  for (const event of ["subscribed", "unsubscribed", "denied", "topics"] as const) pressbell.on(event, refresh);
  addEventListener("storage", ({ key }) => void (key === pressbell.context.memory.key && refresh()));
  addEventListener("pageshow", refresh);
  watchPermission(refresh).catch(() => {});
  refresh();
  return {
    refresh,
    watch(listener) {
      listeners.add(listener);
      if (status) listener(status);
      return () => listeners.delete(listener);
    },
  };
}

async function readStatus(pressbell: Loaded): Promise<Status> {
  const state = await pressbell.state();
  if (state === "unsupported") return { state, all: [], chosen: [], preferencesUrl: null, stories: [] };
  // This waits for the visit, which may renew a subscription that the browser has lost.
  const topics = await pressbell.topics();
  const { preferencesUrl } = await pressbell.context.settings().catch(() => ({ preferencesUrl: null }));
  const now = await pressbell.state();
  return { ...topics, preferencesUrl, state: now, stories: now === "subscribed" ? await readStories(pressbell) : [] };
}

/**
 * Returns the ids of the stories that the reader follows. Asks the service only if the page has an element of a
 * story.
 */
async function readStories({ context }: Loaded): Promise<string[] | undefined> {
  if (!document.querySelector("pressbell-follow[story]")) return [];
  return askFollows(context.snippet).then(
    (follows) => follows.map(({ key }) => key),
    () => undefined,
  );
}

async function watchPermission(onChange: () => void): Promise<void> {
  const permission = await navigator.permissions.query({ name: "notifications" });
  permission.addEventListener("change", onChange);
}
