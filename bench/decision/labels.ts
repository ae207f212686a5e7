import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

/** The id of a page, which names its file. */
export const pageId = z
  .string()
  .regex(/^[\w-]+$/, "must consist of letters, digits, _ and -: it is the name of the page's file");

const label = z.object({
  id: pageId,
  url: z.url({ protocol: /^https?$/ }),
  want: z.enum(["send", "skip"]),
  kind: z.string().default("page"),
  /** Each headline that an editor would accept, without the site's name. Empty: the title is not measured. */
  titles: z.array(z.string()).default([]),
});

/** A saved page with the label that a person gave it. */
export type LabelledPage = z.infer<typeof label> & { body: Buffer };

/**
 * Reads `labels.json` of a folder, and the page of each label from `ID.html` or `ID.html.gz`. Ignores unknown fields.
 * Throws an error that names the label or the file to fix.
 */
export function readLabels(folder: string): LabelledPage[] {
  const file = join(folder, "labels.json");
  if (!existsSync(file)) throw new Error(`${file} does not exist. docs/decision.md tells what a folder holds.`);
  const labels = z
    .array(label)
    .min(1)
    .safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!labels.success) throw new Error(`${file} is not valid.\n${z.prettifyError(labels.error)}`);
  return labels.data.map((entry) => ({ ...entry, body: readPage(folder, entry.id) }));
}

/** Reads `ID.html` or `ID.html.gz`. Throws if both are missing. */
export function readPage(folder: string, id: string): Buffer {
  const plain = join(folder, `${id}.html`);
  if (existsSync(plain)) return readFileSync(plain);
  if (existsSync(`${plain}.gz`)) return gunzipSync(readFileSync(`${plain}.gz`));
  throw new Error(`The page of ${id} is missing: neither ${plain} nor ${plain}.gz exists.`);
}
