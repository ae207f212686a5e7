type Headers = Record<string, string>;

const maxEntries = 8;

/**
 * Caches the values computed from the last few sets of request headers. The headers hardly change between messages of
 * a batch. Comparing them is far cheaper than validating or encoding them again.
 */
export class HeaderCache<T> {
  readonly #entries: { headers: Headers; value: T }[] = [];
  #oldest = 0;

  /** Returns the value for headers with the same names and values. Calls `compute` if there is none. */
  get(headers: Headers, compute: (headers: Headers) => T): T {
    for (const entry of this.#entries) if (areEqual(entry.headers, headers)) return entry.value;
    // A copy, because the caller may change its own object later.
    const entry = { headers: { ...headers }, value: compute(headers) };
    this.#entries[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % maxEntries;
    return entry.value;
  }
}

function areEqual(a: Headers, b: Headers): boolean {
  let difference = 0;
  for (const name in a) {
    if (a[name] !== b[name]) return false;
    difference += 1;
  }
  for (const _name in b) difference -= 1;
  return difference === 0;
}
