import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { pagesOfProject, readPage } from "./pages.ts";
import { pictures } from "./pictures.ts";

const inFolder = readdirSync(new URL("../../docs/images", import.meta.url)).toSorted();

test("every picture is one that npm run docs:pictures takes", () => {
  expect(inFolder).toEqual(pictures.map(({ name }) => `${name}.png`).toSorted());
});

test("every picture is shown or linked on a page, with words that say what it shows", async () => {
  const pages = await Promise.all(pagesOfProject().map(readPage));
  const shown = pages.flatMap((page) => [...page.matchAll(/\[([^\]]{5,})\]\([^)]*images\/([\w-]+\.png)\)/g)]);
  expect([...new Set(shown.map(([, , file]) => file))].toSorted()).toEqual(inFolder);
});
