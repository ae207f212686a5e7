import { expect, test } from "vitest";
import { type Announced, completeArticle, readAnnounced } from "../../src/decision/announced.ts";
import { emptyArticle } from "../../src/decision/page/article.ts";

const url = "https://www.harbourherald.co.uk/bridge";
const site = { names: ["The Post"], logos: ["https://www.harbourherald.co.uk/brand/post.png"] };
const nothing: Announced = { title: null, description: null, imageUrl: null, publishedAt: null };
const read = (said: Partial<Announced>) => readAnnounced({ ...nothing, ...said }, url, site);

test.each([
  ["Tram line extended | The Post", "Tram line extended"],
  ["Harbour Herald: Tram line extended", "Harbour Herald: Tram line extended"],
  ["Tram line extended - Harbour Herald", "Tram line extended"],
  ["Storm hits the coast – Post readers send pictures", "Storm hits the coast – Post readers send pictures"],
  ["The Post", "The Post"],
])("a feed's title is read as a page's: %s", (title, expected) => expect(read({ title }).title).toBe(expected));

test.each([
  ["The line is open. The post Tram line extended appeared first on The Post.", "The line is open."],
  ["Die Linie ist offen. Der Beitrag Neue Linie erschien zuerst auf Die Post.", "Die Linie ist offen."],
  ["La ligne est ouverte. L’article Nouvelle ligne est apparu en premier sur La Poste.", "La ligne est ouverte."],
  ["By Jane Doe – The line is open.", "The line is open."],
  ["The line is open to all in the mor [&#8230;]", "The line is open to all in the…"],
  ["The Post", null],
])("a feed's text is read as a page's: %s", (description, expected) => {
  expect(read({ description }).description).toBe(expected);
});

test.each([
  ["https://images.example.com/2026/bridge.jpg", "https://images.example.com/2026/bridge.jpg"],
  ["http://images.example.com/bridge.jpg", "https://images.example.com/bridge.jpg"],
  ["https://images.example.com/logo.png", null],
  ["https://www.harbourherald.co.uk/brand/post.png", null],
  ["https://images.example.com/bridge-32x32.png", null],
  ["https://secure.gravatar.com/avatar/0a1b", null],
])("a feed's picture is read as a page's: %s", (imageUrl, expected) => {
  expect(read({ imageUrl }).imageUrl).toBe(expected);
});

test("the feed completes what the page lacks", () => {
  const said = { ...emptyArticle(url), title: "Tram line extended to the quay, says the council" };
  const announced = { ...nothing, title: "Tram line extended to the quay", description: "It is open." };
  expect(completeArticle(said, announced)).toMatchObject({ title: announced.title, description: "It is open." });
  expect(completeArticle(said, null)).toEqual(said);
});
