import { createHash } from "node:crypto";
import { z } from "zod";
import { faults, zodText } from "../../faults.ts";
import { expects, flag, timeZone, uuid, wholeNumber } from "../../input.ts";
import { isBetween } from "../../local-time.ts";
import { type QuietHours, quietHours, timeOfDay } from "../../tenants/sites/site.ts";
import { toldFacts } from "../facts/tell-facts.ts";

/** What a reader asks for. Times of day are `HH:MM` in the reader's time zone. */
export type Preferences = {
  /** The most notifications in one of the reader's days. Null: as many as the site sends. */
  maxADay: number | null;
  quietHours: QuietHours | null;
  /**
   * The time of the digest: one notification with the headlines that limit and quiet hours suppressed. Null: no
   * digest.
   */
  digestAt: string | null;
  /** Whether breaking news comes despite quiet hours and limits, including those of the site. */
  breaking: boolean;
  /** An IANA name. */
  timeZone: string;
};

/** A story that the reader has muted. `story`: its key, hexadecimal. */
export type MutedStory = { story: string; title: string };

/** How many days a story stays muted. */
export const muteDays = 30;

/** The most stories that one reader has muted at a time. */
export const maxMuted = 100;

/** Returns the key of a story: the first 16 bytes of SHA-256 of its id, or of the address of its article. */
export function storyKey(story: string): Buffer {
  return createHash("sha256").update(story).digest().subarray(0, 16);
}

const preferences = z
  .strictObject(
    {
      maxADay: wholeNumber(1, 50).nullable(),
      quietHours: quietHours.nullable(),
      digestAt: timeOfDay.nullable(),
      // Absent: unchanged.
      breaking: flag.optional(),
      // One name for each zone, because planning computes the time in every zone that it finds.
      timeZone,
    },
    expects("a JSON object"),
  )
  .refine(({ quietHours: quiet, digestAt }) => !quiet || !digestAt || !isBetween(digestAt, quiet.from, quiet.until), {
    path: ["digestAt"],
    error: zodText(faults.within_quiet_hours()),
  });

/**
 * The body of a request about preferences. `endpoint` and `auth` name the subscription and prove that this browser has
 * it. A request with nothing else only reads. `mute`: the run of the notification whose story becomes muted. `unmute`:
 * the key of a story. `facts`: what the page says of its reader. `removeFact`: the name of a fact that the reader
 * removes.
 */
export const preferencesInput = z.strictObject(
  {
    endpoint: z.string(expects("a string")),
    auth: z.string(expects("a string")),
    preferences: preferences.optional(),
    facts: toldFacts.optional(),
    removeFact: z.string(expects("a string")).optional(),
    mute: uuid.optional(),
    unmute: z
      .string(expects("a string"))
      .regex(/^[0-9a-f]{32}$/, zodText(faults.unknown_story()))
      .optional(),
  },
  expects("a JSON object"),
);
