import fc from "fast-check";
import { expect, test } from "vitest";
import { readAddress, readText } from "../../src/reading/text.ts";

test.each([
  ["You won&#8217;t believe it&#8217;s not&nbsp;butter", "You won’t believe it’s not butter"],
  ["Q&amp;A with the mayor", "Q&A with the mayor"],
  ["Q&amp;amp;A with the mayor", "Q&A with the mayor"],
  ["It&amp;#8217;s here", "It’s here"],
  ["&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"],
  ["<i>Titanic</i> raised", "Titanic raised"],
  ["One<br>two", "One two"],
  ["How to use <b> in HTML", "How to use <b> in HTML"],
  ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["AT&T and M&S merge", "AT&T and M&S merge"],
  ["Copy &copy=2 stays", "Copy &copy=2 stays"],
  ["Unknown &nosuch; stays", "Unknown &nosuch; stays"],
  ["Gro\u00ad\u00dfer  Umzug\n heute", "Großer Umzug heute"],
  ["Tram\u202e line\u0000", "Tram line"],
  [" &nbsp; ", null],
  ["", null],
])("the text %j is read as %j", (raw, expected) => expect(readText(raw, 200)).toBe(expected));

test.each([
  ["https://x.example/a?b=1&amp;c=2", "https://x.example/a?b=1&c=2"],
  ["https://x.example/a?b=1&amp;amp;c=2", "https://x.example/a?b=1&c=2"],
  [" https://x.example/a?b=1&copy=2 ", "https://x.example/a?b=1&copy=2"],
  ["https:\u002F\u002Fx.example&#x2F;a", "https://x.example/a"],
])("the address %j is read as %j", (raw, expected) => expect(readAddress(raw)).toBe(expected));

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

test("a text that is escaped once or twice is read as it is without", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "é", "ß", "&", '"', "'", " ", "–", "日", "1") }), (text) => {
      const plain = text.replace(/\s+/g, " ").trim().normalize("NFC") || null;
      expect(readText(escaped(text), 300)).toBe(plain);
      expect(readText(escaped(escaped(text)), 300)).toBe(plain);
    }),
  );
});

test("any text becomes one clean line within its limit", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 100 }), (raw, max) => {
      const text = readText(raw, max);
      expect(text === null || (text.length <= max && text.trim() === text && text.isWellFormed())).toBe(true);
      expect(text ?? "").not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
    }),
  );
});
