// Runs in a page before its own scripts: a fake clock that only `advance` moves. (Playwright's fake clock is shared by
// all pages of a browser.) The line before this one defines `startMs`.
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
