import type { ParseTask } from "../../parser.ts";
import { decodePage } from "./decode-page.ts";
import { type PageMetadata, readMetadata } from "./page-metadata.ts";

type Document = { body: Uint8Array; charset?: string };

/** A page's links to other forms of it, and the address to which they are relative, if the page names one. */
export type PageAlternates = Pick<PageMetadata, "base" | "alternates">;

/** Reads an HTML page's links to other forms of it, such as feeds. Never throws, whatever the bytes. */
export function readAlternates(page: Document): PageAlternates {
  const { base, alternates } = readMetadata(decodePage(page));
  return { base, alternates };
}

/** The task that runs `readAlternates` in a thread. */
export const alternatesTask: ParseTask<Document, PageAlternates> = {
  module: new URL(import.meta.url),
  run: readAlternates,
};
