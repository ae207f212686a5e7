import type { Loaded } from "./pressbell.ts";

/**
 * Calls `use` with what the loader makes, for our other scripts in a page. The loader may come later, with ids that
 * stand in `window.pressbell` already.
 */
export function whenLoaded(use: (pressbell: Loaded) => void): void {
  const queue = window.pressbell as Partial<Loaded> | undefined;
  if (!queue?.push) window.pressbell = Object.assign([], queue);
  (window.pressbell as Loaded).push((pressbell) => use(pressbell as Loaded));
}
