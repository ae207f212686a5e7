import { expect, test } from "vitest";
import { asksForPrimary, faultOfDatabaseUrl, urlsOfHosts } from "../../src/db/database-url.ts";

test.each([
  ["postgres://u:p@a:5432,b:5433/d", ["postgres://u:p@a:5432/d?", "postgres://u:p@b:5433/d?"]],
  [
    "postgres://u:p%2Cq@a,[::1]:5433/d?sslmode=disable",
    ["postgres://u:p%2Cq@a/d?sslmode=disable", "postgres://u:p%2Cq@[::1]:5433/d?sslmode=disable"],
  ],
  [
    "postgresql://a,b/d?target_session_attrs=read-write&port=6432",
    ["postgresql://a/d?port=6432", "postgresql://b/d?port=6432"],
  ],
  [
    "postgres://u@/d?host=/run/a,/run/b&port=5432,5433",
    ["postgres://u@/d?host=%2Frun%2Fa&port=5432", "postgres://u@/d?host=%2Frun%2Fb&port=5433"],
  ],
  [
    "postgres://u@localhost:5433/d?host=/run/a,/run/b",
    ["postgres://u@localhost:5433/d?host=%2Frun%2Fa", "postgres://u@localhost:5433/d?host=%2Frun%2Fb"],
  ],
  ["postgres://u:p@a/d?target_session_attrs=read-write", ["postgres://u:p@a/d?"]],
])("several hosts are one URL each, with all else in common: %s", (url, urls) => {
  expect(faultOfDatabaseUrl(url)).toBeUndefined();
  expect(asksForPrimary(url)).toBe(true);
  expect(urlsOfHosts(url)).toEqual(urls);
});

test("a URL of one host stays as it is, a comma in its password too", () => {
  const url = "postgres://u:p,q@a:5432/d?sslmode=disable";
  expect(faultOfDatabaseUrl(url)).toBeUndefined();
  expect([asksForPrimary(url), urlsOfHosts(url)]).toEqual([false, [url]]);
});
