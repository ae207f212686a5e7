import type { Message } from "../../messages.ts";
import type { ExpectedClicks } from "../expect-clicks.ts";
import { decisionMessages as messages } from "../messages.ts";
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

function messageOf({ clicked, left, usual: share, nudges: n, categories }: ExpectedClicks): Message {
  const [low, high, usual] = [clicked.low, clicked.high, share].map(percent) as [string, string, string];
  const clicks = { low, high, left, usual, n };
  const [one, other] = categories.map(phraseOf);
  if (one === undefined) return messages.clicks_expected(clicks);
  const like = other === undefined ? one : messages.like_both({ one, other });
  return messages.clicks_expected_like({ ...clicks, like });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

/** The words that an editor would use for a category. */
const phrases: Record<string, () => Message> = {
  "hour night": messages.like_night,
  "hour morning": messages.like_morning,
  "hour day": messages.like_day,
  "hour evening": messages.like_evening,
  "hour late": messages.like_late,
  "weekday 1": messages.like_monday,
  "weekday 2": messages.like_tuesday,
  "weekday 3": messages.like_wednesday,
  "weekday 4": messages.like_thursday,
  "weekday 5": messages.like_friday,
  "weekday 6": messages.like_saturday,
  "weekday 7": messages.like_sunday,
  weekend: messages.like_weekend,
  "title short": messages.like_title_short,
  "title medium": messages.like_title_medium,
  "title long": messages.like_title_long,
  question: messages.like_question,
  number: messages.like_number,
  picture: messages.like_picture,
  everybody: messages.like_everybody,
  "after short": messages.like_after_short,
  "after some": messages.like_after_some,
  "after long": messages.like_after_long,
};

function phraseOf(category: string): Message {
  const [kind, ...rest] = category.split(" ");
  if (kind === "section") return messages.like_section({ section: rest.join(" ") });
  if (kind === "word") return messages.like_word({ word: rest.join(" ") });
  return (phrases[category] ?? messages.like_topics)();
}
