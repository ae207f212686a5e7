import { maxBodyLength, maxTitleLength } from "../nudge.ts";
import { countCodePoints, cutAtWord, displayWidth } from "../text.ts";
import type { Check, StoryFacts } from "./check.ts";

/**
 * In columns: the part of a title that a phone shows before the notification is opened, and the least that tells what
 * happened.
 */
const shownColumns = 65;
const fewColumns = 15;

const titleCut: Check = {
  code: "title_cut",
  effects: ["lowers"],
  when: `the page's title has over ${maxTitleLength} characters`,
  find({ article, given }) {
    if (given.title !== null || countCodePoints(article.title ?? "") <= maxTitleLength) return null;
    const message = `The title is over ${maxTitleLength} characters and will be cut. Write a shorter one for this message.`;
    return { effect: "lowers", weight: -0.1, message };
  },
};

const titleLong: Check = {
  code: "title_long",
  effects: ["lowers"],
  when: `the message's title is wider than ${shownColumns} columns (a Chinese or Japanese letter takes two)`,
  find(facts) {
    const title = titleOf(facts);
    if (!facts.signals || displayWidth(title) <= shownColumns) return null;
    const shown = cutAtWord(title, countFitting(title, shownColumns));
    return {
      effect: "lowers",
      weight: -0.05,
      message: `Many phones show only the beginning of the title: “${shown}”. Put what matters first.`,
    };
  },
};

const titleShort: Check = {
  code: "title_short",
  effects: ["lowers"],
  when: `the message's title is narrower than ${fewColumns} columns`,
  find(facts) {
    const title = titleOf(facts);
    if (!facts.signals || title === "" || displayWidth(title) >= fewColumns) return null;
    return { effect: "lowers", weight: -0.05, message: "The title is very short. Say what has happened." };
  },
};

const noDescription: Check = {
  code: "no_description",
  effects: ["lowers"],
  when: "neither the page nor the caller has a text below the title",
  find({ article, signals, given }) {
    if (!signals || given.body || article.description !== null) return null;
    const message = "The page has no description, so the message has no text below its title. Write a body.";
    return { effect: "lowers", weight: -0.1, message };
  },
};

const descriptionCut: Check = {
  code: "description_cut",
  effects: ["informs"],
  when: `the page's description has over ${maxBodyLength} characters`,
  find({ article, given }) {
    if (given.body || countCodePoints(article.description ?? "") <= maxBodyLength) return null;
    const message = `The description is over ${maxBodyLength} characters and will be cut. Write a shorter body for this message.`;
    return { effect: "informs", message };
  },
};

const noImage: Check = {
  code: "no_image",
  effects: ["lowers"],
  when: "neither the page nor the caller names a picture of the story (a logo is none)",
  find({ article, signals, given }) {
    if (!signals || given.imageUrl || article.imageUrl !== null) return null;
    const message = "The page names no picture of the story. Add og:image to the page, or choose a picture.";
    return { effect: "lowers", weight: -0.1, message };
  },
};

/** Checks of the notification: whether its texts fit and nothing is missing. */
export const nudgeChecks: Check[] = [titleCut, titleLong, titleShort, noDescription, descriptionCut, noImage];

function titleOf({ given, article }: StoryFacts): string {
  return given.title ?? article.title ?? "";
}

/** Returns how many code points of a text that is wider than `columns` fit into them, but at least 2. */
function countFitting(text: string, columns: number): number {
  let count = 0;
  let width = 0;
  for (const letter of text) {
    width += displayWidth(letter);
    if (width > columns) break;
    count += 1;
  }
  return Math.max(2, count);
}
