import type { SharedWords } from "../words.ts";

export const english = {
  choose: "Choose your notifications",
  follow: "Follow {topic}",
};

/** The texts of the elements. */
export type Words = typeof english & SharedWords;

export const german: typeof english = {
  choose: "Benachrichtigungen wählen",
  follow: "{topic} folgen",
};
