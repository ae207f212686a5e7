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

test("a title that ends at a quote is read from the headline", () => {
  expect(pick("The band", { headlines: ['The band "Tide" returns'] })).toBe('The band "Tide" returns');
  expect(pick("The band", { headlines: ["The band returns"] })).toBe("The band");
});

test("a bare site name is no title where the page has another", () => {
  expect(pick("", { candidates: ["The Post", "Tram line extended"] })).toBe("Tram line extended");
  expect(pick("The Post")).toBe("The Post");
  expect(pick("", { candidates: [] })).toBeNull();
});
