import { z } from "zod";
import { countCodePoints } from "../decision/text.ts";
import { faults, zodText } from "../faults.ts";
import { expects } from "../input.ts";
import type { Message } from "../messages.ts";
import { cleanText } from "../reading/text.ts";
import { link } from "./link.ts";

/**
 * Matches a character that is visible on a screen. A text of spaces and format characters (zero-width ones) counts as
 * empty.
 */
const visible = /[^\p{Cc}\p{Cf}\p{Z}]/u;

/** Returns the schema of a text of at most `max` characters (code points), without characters that no screen shows. */
export const text = (max: number) =>
  z
    .string(expects("a string"))
    .transform((value) => (visible.test(value) ? cleanText(value) : ""))
    .refine((value) => countCodePoints(value) <= max, {
      error: ({ input }) => zodText(faults.too_long_by({ most: max, length: countCodePoints(input as string) })),
    });

export const requiredText = (max: number, message: Message) =>
  text(max).refine((value) => value !== "", zodText(message));

/** Returns the schema of an optional text. A text that is empty after trimming counts as absent. */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => (value === "" ? undefined : value))
    .optional();

const noImageUrl = faults.not_an_image_url();

export const imageUrl = z.union([z.literal(""), link(["https:"], noImageUrl)], zodText(noImageUrl));
