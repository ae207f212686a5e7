import type { ExpectedClicks } from "../expect-clicks.ts";
import type { Check } from "./check.ts";

/** The ratios from which on clicks are far from usual. */
const many = 1.25;
const few = 0.8;
const weight = 0.1;

/**
 * What the site's own notifications tell about the story. Only informs if clicks are near the usual, or the story is
 * held out.
 */
export const ownHistory: Check = {
  code: "own_history",
  effects: ["raises", "lowers", "informs"],
  when: `the forecast: raises from ${many} times the usual clicks, lowers to ${few} times; informs between, and for one story in twenty`,
  find({ expected }) {
    if (!expected) return null;
    const message = messageOf(expected);
    const ratio = expected.clicked.middle / expected.usual;
    if (expected.isHeldOut) return { effect: "informs", message };
    if (ratio >= many) return { effect: "raises", weight, message };
    if (ratio <= few) return { effect: "lowers", weight: -weight, message };
    return { effect: "informs", message };
  },
};

function messageOf({ clicked, left, usual: share, nudges, categories }: ExpectedClicks): string {
  const [low, high, usual] = [clicked.low, clicked.high, share].map(percent);
  const like = categories.map(phraseOf).join(", ");
  return like === ""
    ? `Like earlier notifications: ${low} to ${high} click, about ${left} in 10,000 leave. Usual here is ${usual}, by ${nudges} notifications.`
    : `Like earlier notifications ${like}: ${low} to ${high} click, about ${left} in 10,000 leave. Usual here is ${usual}, by ${nudges} notifications.`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** The words that an editor would use for a category. The dashboard translates these (words/de/said.ts). */
const phrases: Record<string, string> = {
  "hour night": "at night",
  "hour morning": "in the morning",
  "hour day": "by day",
  "hour evening": "in the evening",
  "hour late": "late in the evening",
  "weekday 1": "on Mondays",
  "weekday 2": "on Tuesdays",
  "weekday 3": "on Wednesdays",
  "weekday 4": "on Thursdays",
  "weekday 5": "on Fridays",
  "weekday 6": "on Saturdays",
  "weekday 7": "on Sundays",
  weekend: "on weekends",
  "title short": "with a short title",
  "title medium": "with a title of medium length",
  "title long": "with a long title",
  question: "with a question",
  number: "with a number",
  picture: "with a picture",
  everybody: "to all readers",
  "after short": "soon after another",
  "after some": "hours after another",
  "after long": "long after another",
};

function phraseOf(category: string): string {
  const [kind, ...rest] = category.split(" ");
  if (kind === "section") return `from “${rest.join(" ")}”`;
  if (kind === "word") return `about “${rest.join(" ")}”`;
  return phrases[category] ?? "to these topics";
}
