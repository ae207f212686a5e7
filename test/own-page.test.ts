import fc from "fast-check";
import { expect, test } from "vitest";
import { ownPage } from "../src/own-page.ts";

const bases = ["https://push.example/", "https://push.example/bell/", "http://127.0.0.1:3000/"];

test.each([
  ["/", "https://push.example/bell/"],
  ["/sites/1?a=b#c", "https://push.example/bell/sites/1?a=b#c"],
  ["/sites/../account", "https://push.example/bell/account"],
  ["/https://evil.example", "https://push.example/bell/https://evil.example"],
  ["/javascript:alert(1)", "https://push.example/bell/javascript:alert(1)"],
  ["//evil.example", "https://push.example/bell//evil.example"],
  ["/\\evil.example", "https://push.example/bell//evil.example"],
  ["https://evil.example", null],
  ["javascript:alert(1)", null],
  ["\\\\evil.example", null],
  ["", null],
  ["/../evil", null],
  ["/%2e%2e/evil", null],
  ["/..\\evil", null],
])("the page %j is %s", (page, url) => {
  expect(ownPage(page, "https://push.example/bell/")).toBe(url);
});

const piece = fc.constantFrom(
  "/",
  "\\",
  ":",
  "..",
  ".",
  "%2e",
  "\t",
  "\n",
  "?",
  "#",
  "@",
  "https:",
  "javascript:",
  "evil.example",
);

test("whatever a stranger writes into a link, the page is below the base", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }), fc.constantFrom(...bases), (pieces, base) => {
      const url = ownPage(`/${pieces.join("")}`, base);
      expect(url === null || url.startsWith(base)).toBe(true);
    }),
  );
});
