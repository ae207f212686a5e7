import fc from "fast-check";

/** Strings that often break programs: encodings, code in other languages, edge cases of parsers and databases. */
const naughty = fc.constantFrom(
  "",
  " ",
  "\0",
  "a\0b",
  "\u0001\u0007\u001b[31m",
  "\ud800",
  "a\udc00b",
  "\ufeff",
  "\u202egnp.exe",
  "\u200b\u200d",
  "e\u0301".repeat(60),
  "👩‍👩‍👧‍👦".repeat(30),
  "ß".repeat(240),
  "' or 1=1--",
  "'; drop table campaigns; --",
  "$1",
  "%s%n",
  "{{7*7}}",
  "#{7*7}",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "NaN",
  "null",
  "undefined",
  "true",
  "__proto__",
  "constructor",
  "1e400",
  "-0",
  "٣",
  "x".repeat(121),
  "x".repeat(5_000),
  "2098-02-30T00:00:00Z",
  "2098-01-31T18:00:00+99:99",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999-14:00",
  "+275760-09-13T00:00:00Z",
);

export const text = fc.oneof(
  { weight: 3, arbitrary: naughty },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 300 }) },
  // These include lone surrogates, which fast-check's own units exclude.
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 50 })
      .map((units) => String.fromCharCode(...units)),
  },
);

/** Any JSON value: nested, with hostile keys, and numbers at the limits. */
export const json: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }),
  fc.object({ key: text, values: [text, fc.double(), fc.boolean(), fc.constant(null)], maxDepth: 3, maxKeys: 6 }),
  fc.integer({ min: 1, max: 60 }).map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown),
);

const hosts = [
  "news.example.invalid",
  "b\u00fccher.test",
  "127.0.0.1",
  "[::1]",
  "10.0.0.1",
  "0x7f000001",
  "017700000001",
];
const moreHosts = [
  "[::ffff:169.254.169.254]",
  "localhost",
  "a..test",
  "-.invalid",
  "x".repeat(64),
  ".",
  "",
  "%00.invalid",
];

/** Creates URLs whose hosts do not exist or are internal. Only `article` is ever fetched. */
export function urls(article: string): fc.Arbitrary<unknown> {
  const composed = fc
    .record({
      scheme: fc.constantFrom("https://", "http://", "HTTPS://", "https:", "//", "javascript:", "data:", "file:///"),
      user: fc.constantFrom("", "", "", "user:secret@", "@"),
      host: fc.constantFrom(...hosts, ...moreHosts),
      port: fc.constantFrom("", "", ":443", ":8443", ":0", ":99999", ":x"),
      rest: fc.oneof(
        fc.constant("/"),
        text.map((rest) => `/${rest}`),
        fc.webPath(),
        fc.constant(`/${"a".repeat(2_100)}`),
      ),
    })
    .map(({ scheme, user, host, port, rest }) => scheme + user + host + port + rest);
  const withQuery = text.map((rest) => `${article}?${rest}`);
  return fc.oneof({ weight: 6, arbitrary: fc.constant(article) }, withQuery, composed, json);
}

/** Creates mostly values of `valid`, and sometimes values of `others`. */
export function mostly<T>(valid: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: valid }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));
}

/** Creates objects whose fields are valid, hostile or absent, sometimes with an additional field. */
export function nearlyValid(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const perField = Object.fromEntries(
    Object.entries(fields).map(([name, valid]) => [
      name,
      fc.oneof({ weight: 40, arbitrary: valid }, { weight: 1, arbitrary: json }, { weight: 1, arbitrary: absent }),
    ]),
  );
  const extra = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(text, json) },
  );
  return fc.tuple(fc.record(perField), extra).map(([object, more]) => ({ ...object, ...more }));
}

const absent = fc.constant(undefined);

/** Values that are valid in a header line: syntax of known fields, and any visible or Latin-1 characters. */
export const headerValue = fc.oneof(
  fc.constantFrom(
    "",
    "x",
    ",",
    ";",
    '"',
    "0",
    "-1",
    "null",
    "true",
    "*",
    "a, b",
    "chunked",
    "é".repeat(10),
    "k".repeat(256),
  ),
  fc
    .array(
      fc.integer({ min: 0x20, max: 0xff }).filter((unit) => unit !== 0x7f),
      { maxLength: 300 },
    )
    .map((units) => String.fromCharCode(...units)),
);

/** Creates path segments: valid ids, broken percent-encoding, dots, and encoded NUL. */
export function pathPart(ids: string[]): fc.Arbitrary<string> {
  const broken = fc.constantFrom(
    "%",
    "%zz",
    "%00",
    "%2f",
    "%2e%2e",
    "..",
    ".",
    "",
    "%ff",
    "%c0%af",
    "%ed%a0%80",
    "a;b",
    "*",
  );
  const encoded = fc.string({ unit: "grapheme", maxLength: 60 }).map((part) => encodeURIComponent(part));
  const long = fc.integer({ min: 500, max: 6_000 }).map((length) => "x".repeat(length));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.constantFrom(...ids).map((id) => id.toUpperCase()) },
    { weight: 2, arbitrary: fc.uuid() },
    { weight: 3, arbitrary: broken },
    { weight: 2, arbitrary: encoded },
    { weight: 1, arbitrary: long },
  );
}
