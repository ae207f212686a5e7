import type { Loaded } from "./pressbell.ts";

/**
 * Calls `use` with what the loader creates. Our other scripts in a page use this. The loader may come later and read
 * ids that are already in `window.pressbell`.
 */
export function whenLoaded(use: (pressbell: Loaded) => void): void {
  const queue = window.pressbell as Partial<Loaded> | undefined;
  if (!queue?.push) window.pressbell = Object.assign([], queue);
  (window.pressbell as Loaded).push((pressbell) => use(pressbell as Loaded));
}
