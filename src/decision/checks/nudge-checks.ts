import { decisionMessages as messages } from "../messages.ts";
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
    return { effect: "lowers", weight: -0.1, message: messages.title_cut({ most: maxTitleLength }) };
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
    return { effect: "lowers", weight: -0.05, message: messages.title_long({ shown }) };
  },
};

const titleShort: Check = {
  code: "title_short",
  effects: ["lowers"],
  when: `the message's title is narrower than ${fewColumns} columns`,
  find(facts) {
    const title = titleOf(facts);
    if (!facts.signals || title === "" || displayWidth(title) >= fewColumns) return null;
    return { effect: "lowers", weight: -0.05, message: messages.title_short() };
  },
};

const noDescription: Check = {
  code: "no_description",
  effects: ["lowers"],
  when: "neither the page nor the caller has a text below the title",
  find({ article, signals, given }) {
    if (!signals || given.body || article.description !== null) return null;
    return { effect: "lowers", weight: -0.1, message: messages.description_missing() };
  },
};

const descriptionCut: Check = {
  code: "description_cut",
  effects: ["informs"],
  when: `the page's description has over ${maxBodyLength} characters`,
  find({ article, given }) {
    if (given.body || countCodePoints(article.description ?? "") <= maxBodyLength) return null;
    return { effect: "informs", message: messages.description_cut({ most: maxBodyLength }) };
  },
};

const noImage: Check = {
  code: "no_image",
  effects: ["lowers"],
  when: "neither the page nor the caller names a picture of the story (a logo is none)",
  find({ article, signals, given }) {
    if (!signals || given.imageUrl || article.imageUrl !== null) return null;
    return { effect: "lowers", weight: -0.1, message: messages.picture_missing() };
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
