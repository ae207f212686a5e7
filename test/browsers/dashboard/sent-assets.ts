import type { Page } from "playwright-core";

/**
 * Records the assets that are sent to a page from now on. Returns a function that returns their sizes as sent, in
 * bytes, by name.
 */
export function noteSentAssets(page: Page): () => Promise<Map<string, number>> {
  const sent = new Map<string, Promise<number>>();
  page.on("requestfinished", (request) => {
    const name = /\/assets\/([^/?]+)$/.exec(request.url())?.[1];
    const size = () => request.sizes().then(({ responseBodySize }) => responseBodySize);
    if (name !== undefined) sent.set(name, size());
  });
  return async () => new Map(await Promise.all([...sent].map(async ([name, size]) => [name, await size] as const)));
}

/** Returns the sum of sizes in KB. */
export function kilobytesOf(sizes: Iterable<number>): number {
  return [...sizes].reduce((sum, size) => sum + size, 0) / 1_000;
}
