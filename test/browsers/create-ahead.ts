import { afterFile } from "../fixtures/cleanup.ts";

/**
 * Returns a function like `create` that makes the next result ahead, while a test uses the one before. The service
 * takes a second to know a new website.
 */
export function createAhead<T>(create: () => Promise<T>): () => Promise<T> {
  const begin = (): Promise<T> => {
    const created = create();
    // The caller that takes the result gets its error. Nobody takes the last result.
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
