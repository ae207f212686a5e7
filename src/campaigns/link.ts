import { z } from "zod";
import { faults, zodText } from "../faults.ts";
import { expects } from "../input.ts";
import type { Message } from "../messages.ts";

export const maxUrl = 2_048;

/**
 * Returns the schema of a URL that opens on readers' devices. It allows no user name, and no character that URL
 * parsers repair in different ways.
 */
export const link = (protocols: string[], rule: Message) =>
  z
    .string(expects("a string"))
    .max(maxUrl, zodText(faults.too_long({ most: 2_048 })))
    .refine((value) => isLink(value, protocols), zodText(rule));

function isLink(value: string, protocols: string[]): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return protocols.includes(url.protocol) && url.username === "" && url.password === "";
}
