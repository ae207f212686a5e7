import { afterFile } from "../fixtures/cleanup.ts";

/**
 * Returns `create` with the next result made ahead, while a test uses the one before: the service takes a second to
 * know a new website.
 */
export function createAhead<T>(create: () => Promise<T>): () => Promise<T> {
  const begin = (): Promise<T> => {
    const created = create();
    // Its taker gets the error, and the last one has no taker.
    created.catch(() => {});
    return created;
  };
  let next = begin();
  afterFile(() => next.catch(() => {}));
  return () => {
    const ready = next;
    next = begin();
    return ready;
  };
}
