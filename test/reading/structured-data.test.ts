import fc from "fast-check";
import { expect, test } from "vitest";
import { parseStructuredData } from "../../src/reading/structured-data.ts";

const story = { "@type": "NewsArticle", headline: "Council votes; bridge, [rebuilt]" };
const json = JSON.stringify(story);

test.each([
  ["a semicolon after it", `${json};`],
  ["a comma after it", `${json},`],
  ["trailing commas", '{"@type":"NewsArticle","headline":"Council votes; bridge, [rebuilt]",}'],
  ["two commas", '{"@type":"NewsArticle",,"headline":"Council votes; bridge, [rebuilt]"}'],
  ["a semicolon between members", '{"@type":"NewsArticle";"headline":"Council votes; bridge, [rebuilt]"}'],
  ["CDATA marks", `<![CDATA[${json}]]>`],
  ["CDATA marks in comments", `//<![CDATA[\n${json}\n//]]>`],
  ["CDATA marks in block comments", `/*<![CDATA[*/${json}/*]]>*/`],
  ["HTML comment marks", `<!--\n${json}\n-->`],
  ["block comments", `/* by the theme */${json}`],
  [
    "comments to the end of a line",
    '{"@type":"NewsArticle", // of the theme\n"headline":"Council votes; bridge, [rebuilt]"}',
  ],
  ["a byte order mark", `\ufeff${json}`],
  ["a missing comma", '{"@type":"NewsArticle"\n"headline":"Council votes; bridge, [rebuilt]"}'],
  ["one bracket too many", `${json}}`],
  ["one bracket too few", json.slice(0, -1)],
  ["entities for its quotes", json.replaceAll('"', "&quot;")],
])("JSON with %s is read", (_what, text) => expect(parseStructuredData(text).value).toEqual(story));

test.each([
  ['{"headline":"Tram\nline"}', "Tram line"],
  ['{"headline":"Tram\tline"}', "Tram line"],
  ['{"headline":"Tram\u0000line"}', "Tram line"],
  ['{"headline":"Tram\\\'s line"}', "Tram's line"],
  ['{"headline":"// not a comment; /* nor this */"}', "// not a comment; /* nor this */"],
  ['{"headline":"The "big" one"}', 'The "big" one'],
  ['{"headline":"The \\"big\\" one",}', 'The "big" one'],
  ['{"headline":"<!-- a mark -->"}', "<!-- a mark -->"],
])("the text within %j stays", (text, headline) => {
  expect(parseStructuredData(text).value).toEqual({ headline });
});

test("values beside each other become a list", () => {
  expect(parseStructuredData(`${json}\n${json}`).value).toEqual([story, story]);
  expect(parseStructuredData(`${json},${json}`).value).toEqual([story, story]);
});

test.each(["", "  ", "function () {}", "{{ template }}", "}", '"', "[".repeat(2_000), '{"a":'.repeat(2_000)])(
  "nothing is read where there is nothing: %#",
  (text) => {
    const { value } = parseStructuredData(text);
    expect(value === null || Object.keys(value as object).length === 0).toBe(true);
  },
);

test("JSON that breaks off anywhere gives its whole members", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (inner, at) => {
      const text = `{"first":1,"more":${inner}}`;
      const cut = text.slice(0, 12 + (at % (text.length - 12)));
      expect(parseStructuredData(cut)).toMatchObject({ value: { first: 1 }, isCut: true });
      expect(parseStructuredData(text)).toEqual({ value: JSON.parse(text), isCut: false });
    }),
  );
});

test("any JSON between comments and with stray marks is the same JSON", () => {
  const marks = fc.constantFrom(
    ";",
    ",",
    "/* note */",
    "// note\n",
    "<!--",
    "-->",
    "//<![CDATA[\n",
    "]]>",
    "\u0000",
    " ",
  );
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), fc.array(marks), fc.array(marks), (value, before, after) => {
      const text = JSON.stringify([value, 1]);
      const plain = JSON.parse(text) as unknown;
      const marked = `${before.join("")}${text.slice(0, -1)},${after.join("")}]${after.join("")}`;
      expect(parseStructuredData(marked).value).toEqual(plain);
    }),
  );
});

test("any text is read without an error", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('"', "{", "}", "[", "]", ",", ":", ";", "\\", "a", "1", "/*", "//", "\n")),
      (parts) => {
        parseStructuredData(parts.join(""));
      },
    ),
  );
});

test.each(['"a', '" ', "[", "{", '{"a":', ",", ";", '"', "/*", "//", "<!--", "]", "}", "\\", '[{"a":1},', " ", "a"])(
  "a megabyte of %j takes linear time",
  (part) => {
    const msFor = (length: number) => {
      const text = `{"first":1,${part.repeat(length / part.length)}`;
      const before = process.threadCpuUsage();
      parseStructuredData(text);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    expect(msFor(1_000_000)).toBeLessThan(2_000);
  },
);
