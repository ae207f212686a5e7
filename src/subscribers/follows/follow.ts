import { z } from "zod";
import { expects, lineOfText } from "../../input.ts";

/** What a reader follows. `key`: the publisher's own id of a story, an author or a series. `label`: what the page called it. */
export type Follow = { key: string; label: string | null };

/** How many ids one reader follows at most. */
export const maxFollows = 50;

/** Days after which a follow ends if nothing was sent to the followers of its id since. */
export const followDays = 90;

/** The schema of an id that readers follow: one line without spaces at its ends. */
export const followedKey = z
  .string(expects("a string"))
  .refine((value) => lineOfText(100).safeParse(value).data === value, {
    error: "must be one line of 1 to 100 characters, without spaces at its ends",
  });

/** The id to whose followers something goes. Empty: readers need not follow anything. */
export const followersChoice = z.union([z.literal(""), followedKey], {
  error: "must be an id of 1 to 100 characters in one line, or empty for readers who need not follow anything",
});

/**
 * The body of a request about what a reader follows. `endpoint` and `auth` name the subscription and prove that it is
 * this browser's. Without anything else it only reads.
 */
export const followsInput = z.strictObject(
  {
    endpoint: z.string(expects("a string")),
    auth: z.string(expects("a string")),
    follow: z.strictObject({ key: followedKey, label: lineOfText(80).optional() }, expects("a JSON object")).optional(),
    unfollow: followedKey.optional(),
  },
  expects("a JSON object"),
);
