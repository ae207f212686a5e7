import type { Page } from "./types.ts";

/** `limit`: the number of entries in a page, 1 to 100. Default 50. `signal` aborts the call. */
export type PageOptions = { limit?: number; signal?: AbortSignal };

/** Yields the entries of all pages in their order. Reads a page when its first entry is asked for. */
export async function* listAll<Entry>(
  readPage: (cursor: string | undefined) => Promise<Page<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await readPage(cursor);
    yield* data;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
