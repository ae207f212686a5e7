import { z } from "zod";
import { type Prompt, promptChange } from "./prompt.ts";

/** What is added to a story's address, so that the site's own statistics know where a reader came from. */
export type Utm = { source: string | null; medium: string | null; campaign: string | null };

/** How a nudge leads to its article: with a token in the article's own address, or through this service. */
export type LinkMode = "token" | "redirect";

/** What a site shows and allows in its readers' browsers. */
export type ReaderSettings = {
  /** Web origins beside that of the site's `url` whose pages may subscribe readers. */
  origins: string[];
  iconUrl: string | null;
  utm: Utm;
  /** What the site sets; `promptOf` adds the rest. */
  prompt: Partial<Prompt>;
  linkMode: LinkMode;
  /** A subscription that no browser has confirmed for so long is removed. Null: never. */
  dormantMonths: number | null;
};

/** Percent-encoding would make three characters of one, and a push message is small. */
const utmValue = z.string().regex(/^[\w.~-]{1,64}$/, "must be 1 to 64 letters, digits, . _ ~ or -");

const origin = z.string().transform((text, context) => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  context.addIssue({ code: "custom", message: `must be origins such as https://m.news.example: ${text.slice(0, 80)}` });
  return z.NEVER;
});

/** What may be changed of them. Absent: it stays. Null: it is taken away. */
export const readerSettingsChange = {
  origins: z
    .array(origin)
    .max(20, "must be at most 20")
    .transform((all) => [...new Set(all)])
    .optional(),
  iconUrl: z
    .url({ protocol: /^https$/, error: "must be an https URL" })
    .max(1_024, "must have at most 1,024 characters")
    .nullish(),
  utm: z
    .strictObject({ source: utmValue.nullish(), medium: utmValue.nullish(), campaign: utmValue.nullish() })
    .optional(),
  prompt: promptChange.optional(),
  linkMode: z.enum(["token", "redirect"], "must be token or redirect").optional(),
  dormantMonths: z
    .int("must be a whole number from 1 to 120")
    .min(1, "must be a whole number from 1 to 120")
    .max(120, "must be a whole number from 1 to 120")
    .nullish(),
};

/** The origins whose pages may speak for the site's readers. */
export function originsOf(site: { url: string; origins: string[] }): string[] {
  return [new URL(site.url).origin, ...site.origins];
}
