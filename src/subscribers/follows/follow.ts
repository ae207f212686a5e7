import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects, lineOfText } from "../../input.ts";

/**
 * What a reader follows. `key`: the publisher's own id of a story, an author or a series. `label`: the name that the
 * page gave it.
 */
export type Follow = { key: string; label: string | null };

/** The most ids that one reader follows. */
export const maxFollows = 50;

/** The number of days after which a follow ends, if nothing was sent to the followers of its id in that time. */
export const followDays = 90;

/** The schema of an id that readers follow: one line without spaces at its ends. */
export const followedKey = z
  .string(expects("a string"))
  .refine((value) => lineOfText(100).safeParse(value).data === value, {
    error: zodText(faults.not_a_followed_key()),
  });

/** The id whose followers get a notification. Empty: readers need not follow anything. */
export const followersChoice = z.union([z.literal(""), followedKey], {
  error: zodText(faults.not_a_followed_id()),
});

/**
 * The body of a request about what a reader follows. `endpoint` and `auth` name the subscription and prove that this
 * browser has it. A request with nothing else only reads.
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
