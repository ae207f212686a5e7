import type { Events, Pressbell } from "./api.ts";

/** Calls the listeners of an event, with its detail if it has one. */
export type Emit = <Name extends keyof Events>(
  name: Name,
  ...detail: Events[Name] extends undefined ? [] : [Events[Name]]
) => void;

/**
 * Creates the registry of listeners. A listener that is added late is called at once with the last detail of its
 * event. A listener that throws does not affect the others.
 */
export function createEvents(): { on: Pressbell["on"]; emit: Emit } {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  const last = new Map<string, unknown>();
  return {
    on(name, listener) {
      const registered = listeners.get(name) ?? new Set();
      listeners.set(name, registered.add(listener));
      if (last.has(name)) notify(listener, last.get(name));
      return () => registered.delete(listener);
    },
    emit(name, ...[detail]) {
      last.set(name, detail);
      for (const listener of listeners.get(name) ?? []) notify(listener, detail);
    },
  };
}

function notify(listener: (detail: never) => void, detail: unknown): void {
  try {
    listener(detail as never);
  } catch (error) {
    reportError(error);
  }
}
