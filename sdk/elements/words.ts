import type { SharedWords } from "../words.ts";

export const english = {
  choose: "Choose your notifications",
  follow: "Follow {topic}",
  tooMany: "You follow as much as one reader can. End something first.",
};

/** The texts of the elements. */
export type Words = typeof english & SharedWords;

export const german: typeof english = {
  choose: "Benachrichtigungen wählen",
  follow: "{topic} folgen",
  tooMany: "Sie folgen schon so vielem, wie es geht. Beenden Sie erst etwas.",
};
