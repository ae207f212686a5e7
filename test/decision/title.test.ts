import fc from "fast-check";
import { expect, test } from "vitest";
import { pickTitle } from "../../src/decision/page/title.ts";

const url = "https://www.harbourherald.co.uk/bridge";
const pick = (title: string, more: Partial<Parameters<typeof pickTitle>[0]> = {}) =>
  pickTitle({
    candidates: [title],
    headlines: [],
    headings: [],
    subheadings: [],
    siteNames: ["The Post"],
    url,
    ...more,
  });

test.each([
  ["Tram line extended | The Post", "Tram line extended"],
  ["Tram line extended|THE POST", "Tram line extended"],
  ["The Post » Tram line extended", "Tram line extended"],
  ["Tram line extended — Harbour Herald", "Tram line extended"],
  ["Tram line extended - HarbourHerald.co.uk", "Tram line extended"],
])("the site's name goes from either end: %s", (title, expected) => expect(pick(title)).toBe(expected));

test.each([
  "Ferry: The Postman rings twice in the harbour town",
  "Update | Two ships collide",
  "Harbour 3–2 Uptown",
  "Why The Post is moving",
  "Tram line extended - The Postman rings",
  "Tram - The Post must now explain to us all",
  "Tram line extended - The Post Online",
])("a title without the site's name stays: %s", (title) => expect(pick(title)).toBe(title));

test("a name that holds separators goes as a whole", () => {
  expect(pick("Tram line extended - The Post | News | City", { siteNames: ["The Post | News | City"] })).toBe(
    "Tram line extended",
  );
});

test("a headline in the title wins over the part behind a separator, not over a colon", () => {
  const headlines = ["Tram line extended to the quay"];
  expect(pick("Tram line extended to the quay-City｜Kurier", { headlines })).toBe("Tram line extended to the quay");
  expect(pick("Traffic: Tram line extended to the quay", { headlines })).toBe(
    "Traffic: Tram line extended to the quay",
  );
  expect(pick("Another title - Kurier", { headlines })).toBe("Another title - Kurier");
});

test.each([
  ["Storm hits the coast – Echo readers send pictures", "Echo"],
  ["Harbour: a history – Echo", "Echo"],
  ["Echo: why the paper is sold", "Echo"],
  ["Who owns the news? | The Post", "The Post"],
])("a title on which page, JSON-LD and headline agree stays whole: %s", (title, name) => {
  const agreed = { headlines: [title], headings: [title], siteNames: [name] };
  expect(pick(title, agreed)).toBe(title);
  expect(pick(title, { headings: [title], siteNames: [name] })).toBe(title);
});

test.each([
  ["気象庁が発表：朝日新聞デジタル", "気象庁が発表", "朝日新聞デジタル"],
  ["Treeviz:phpspot", "Treeviz", "phpspot"],
  ["Tram line extended--The Post", "Tram line extended", "The Post"],
  ["Tram line extended : The Post", "Tram line extended", "The Post"],
  ["Tram line extended: 6 minutes to the quay", "Tram line extended: 6 minutes to the quay", "The Post"],
  ["Tram: The Postman", "Tram: The Postman", "The Post"],
])("a name behind a colon goes, and only a name: %s", (title, expected, name) => {
  expect(pick(title, { siteNames: [name] })).toBe(expected);
});

test("the rest behind a headline goes, be it a section, a date or a name that nothing states", () => {
  const headings = ["Tram line extended to the quay"];
  for (const title of [
    "Tram line extended to the quay : Sport",
    "Tram line extended to the quay : 06.11.2026, 11.41 Uhr",
    "www.city.example: The city / News / Tram line extended to the quay",
    "Tram line extended to the quay | City | News",
  ]) {
    expect(pick(title, { headings }), title).toBe(headings[0]);
    expect(pick(title, { subheadings: headings }), title).toBe(headings[0]);
  }
});

test("any part of an agreed title stays, whatever names the page states", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "É", "日", "1"), minLength: 2, maxLength: 12 });
  const separator = fc.constantFrom(" | ", " – ", " - ", ": ", "：", " » ", "|", " / ", "--");
  fc.assert(
    fc.property(word, separator, word, (front, between, end) => {
      const title = front + between + end;
      const siteNames = [front, end];
      expect(pick(title, { headlines: [title], headings: [title], siteNames })).toBe(title);
      expect([title, front.trim(), end.trim()]).toContain(pick(title, { siteNames }));
      expect(pick(title, { siteNames: ["Another name"] })).toBe(title);
    }),
  );
});

test("a title that ends at a quote is read from the headline", () => {
  expect(pick("The band", { headlines: ['The band "Tide" returns'] })).toBe('The band "Tide" returns');
  expect(pick("The band", { headlines: ["The band returns"] })).toBe("The band");
});

test("a bare site name is no title where the page has another", () => {
  expect(pick("", { candidates: ["The Post", "Tram line extended"] })).toBe("Tram line extended");
  expect(pick("The Post")).toBe("The Post");
  expect(pick("", { candidates: [] })).toBeNull();
});
