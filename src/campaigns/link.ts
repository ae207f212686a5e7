import { z } from "zod";
import { expects } from "../input.ts";

export const maxUrl = 2_048;

/**
 * Returns the schema of a URL that opens on readers' devices. It allows no user name, and no character that URL
 * parsers repair in different ways.
 */
export const link = (protocols: string[], rule: string) =>
  z
    .string(expects("a string"))
    .max(maxUrl, "must have at most 2,048 characters")
    .refine((value) => isLink(value, protocols), rule);

function isLink(value: string, protocols: string[]): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
  if (/[\u0000-\u0020\u007f\\]/.test(value) || !/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return protocols.includes(url.protocol) && url.username === "" && url.password === "";
}
