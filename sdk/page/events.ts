import type { Events, Pressbell } from "./api.ts";

/** Tells the listeners of an event; its detail is given where it has one. */
export type Emit = <Name extends keyof Events>(
  name: Name,
  ...detail: Events[Name] extends undefined ? [] : [Events[Name]]
) => void;

/** Listeners by event. Who listens late hears at once of the last time; one that throws disturbs nobody. */
export function createEvents(): { on: Pressbell["on"]; emit: Emit } {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  const last = new Map<string, unknown>();
  return {
    on(name, listener) {
      const those = listeners.get(name) ?? new Set();
      listeners.set(name, those.add(listener));
      if (last.has(name)) tell(listener, last.get(name));
      return () => those.delete(listener);
    },
    emit(name, ...[detail]) {
      last.set(name, detail);
      for (const listener of listeners.get(name) ?? []) tell(listener, detail);
    },
  };
}

function tell(listener: (detail: never) => void, detail: unknown): void {
  try {
    listener(detail as never);
  } catch (error) {
    reportError(error);
  }
}
