import type { ParseTask } from "../../parser.ts";
import { decodePage } from "./decode-page.ts";
import { type PageMetadata, readMetadata } from "./page-metadata.ts";

type Document = { body: Uint8Array; charset?: string };

/** Reads the links of an HTML page to other forms of it, such as feeds. Never throws, whatever the bytes. */
export function readAlternates(page: Document): PageMetadata["alternates"] {
  return readMetadata(decodePage(page)).alternates;
}

/** `readAlternates` in a thread. */
export const alternatesTask: ParseTask<Document, PageMetadata["alternates"]> = {
  module: new URL(import.meta.url),
  run: readAlternates,
};
