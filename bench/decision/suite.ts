import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { pageId, readPage } from "./labels.ts";

const oneOrMore = z.union([z.string().transform((text) => [text]), z.array(z.string())]).default([]);

const expected = z.object({
  id: pageId,
  url: z.url({ protocol: /^https?$/ }),
  /** All right titles, and all right addresses of a picture. Empty: not measured. */
  title: oneOrMore,
  image: oneOrMore,
  /** A day, or a moment with its offset. */
  date: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
});

/** A saved page with the values that should be read from it. */
export type SuitePage = z.infer<typeof expected> & { body: Buffer };

/** Returns whether a folder is a suite of pages with expected values, and not one of labelled decisions. */
export function isSuite(folder: string): boolean {
  return existsSync(join(folder, "expected.json"));
}

/**
 * Reads `expected.json` of a folder, and the page of each entry from `ID.html` or `ID.html.gz`. Ignores unknown
 * fields. Throws an error that names the entry or the file to fix.
 */
export function readSuite(folder: string): SuitePage[] {
  const file = join(folder, "expected.json");
  const entries = z
    .array(expected)
    .min(1)
    .safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!entries.success) throw new Error(`${file} is not valid.\n${z.prettifyError(entries.error)}`);
  return entries.data.map((entry) => ({ ...entry, body: readPage(folder, entry.id) }));
}
