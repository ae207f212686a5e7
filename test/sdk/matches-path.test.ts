import { expect, test } from "vitest";
import { matchesPath } from "../../sdk/prompt/matches-path.ts";

test.each([
  ["/sport", "/sport", true],
  ["/sport", "/sport/", false],
  ["/sport/", "/sport", false],
  ["/sport/*", "/sport/", true],
  ["/sport/*", "/sport/final", true],
  ["/sport/*", "/sport", false],
  ["/sport/*", "/local/sport/final", false],
  ["/*", "/", true],
  ["/*/live", "/sport/2026/live", true],
  ["/*/live", "/live", false],
  ["/*/live", "/sport/live/1", false],
  ["/a*b*a", "/aba", true],
  ["/a*ba", "/aba", true],
  ["/ab*ba", "/aba", false],
  ["/*a*a", "/a", false],
  ["/**", "/x", true],
  ["/a.b", "/aXb", false],
  ["/fu%C3%9Fball/*", "/fu%C3%9Fball/1", true],
])("the pattern %s and the path %s: %j", (pattern, path, matches) => {
  expect(matchesPath(path, pattern)).toBe(matches);
});

test("a pattern of only stars takes no longer for a long path", () => {
  const pattern = `/${"*a".repeat(99)}b`;
  const before = performance.now();
  expect(matchesPath(`/${"a".repeat(100_000)}`, pattern)).toBe(false);
  expect(performance.now() - before).toBeLessThan(500);
});
