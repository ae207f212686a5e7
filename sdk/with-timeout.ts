/**
 * Returns the result of `work`, or throws after `limitMs`. Browsers can leave a promise pending forever: Chromium
 * does so if it subscribes while its push service cannot be reached.
 */
export function withTimeout<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(Error(`no answer within ${limitMs / 1000} s`)), limitMs);
    work.then(resolve, reject);
  });
}
