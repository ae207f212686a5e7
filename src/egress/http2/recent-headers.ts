type Headers = Record<string, string>;

const keptSorts = 8;

/**
 * What was found out about the last few sorts of request headers: from one message of a batch to the next they hardly change,
 * and to compare them is far cheaper than to check or encode them again.
 */
export class RecentHeaders<T> {
  readonly #known: { headers: Headers; value: T }[] = [];
  #oldest = 0;

  /** The value for the same names and values; worked out by `make` where it is not known. */
  valueOf(headers: Headers, make: (headers: Headers) => T): T {
    for (const entry of this.#known) if (isSame(entry.headers, headers)) return entry.value;
    // A copy: the caller may go on to change its own.
    const entry = { headers: { ...headers }, value: make(headers) };
    this.#known[this.#oldest] = entry;
    this.#oldest = (this.#oldest + 1) % keptSorts;
    return entry.value;
  }
}

function isSame(some: Headers, others: Headers): boolean {
  let left = 0;
  for (const name in some) {
    if (some[name] !== others[name]) return false;
    left += 1;
  }
  for (const _name in others) left -= 1;
  return left === 0;
}
