// Runs in a page before its own scripts: a clock that stands, and is moved by `advance`. (Playwright's is the same for
// every page of a browser.) `startMs` is written before this.
{
  let nowMs = startMs;
  const timers = new Set();
  Date.now = () => nowMs;
  window.setTimeout = (call, afterMs = 0, ...rest) => {
    timers.add({ call: () => call(...rest), atMs: nowMs + afterMs });
  };
  window.advance = (ms) => {
    const endMs = nowMs + ms;
    for (;;) {
      const [next] = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      timers.delete(next);
      nowMs = next.atMs;
      next.call();
    }
    nowMs = endMs;
  };
}
