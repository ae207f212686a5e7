/**
 * `work`, but for `limitMs` at most: then it fails. Browsers can leave a promise open for ever (Chromium does, when it
 * subscribes and its push service is out of reach), and nobody who waits for us may wait for ever.
 */
export function within<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(Error(`no answer within ${limitMs / 1000} s`)), limitMs);
    work.then(resolve, reject);
  });
}
