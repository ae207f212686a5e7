import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Visit, VisitReply } from "../route.ts";

/** The quality levels of brotli. `once`: for one text of the service. `each`: for one text of each site. */
const qualities = { once: constants.BROTLI_MAX_QUALITY, each: 5 };

const encoders = {
  br: (text: string, effort: keyof typeof qualities) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: qualities[effort] } }),
  gzip: (text: string) => gzipSync(text),
};

type Coding = keyof typeof encoders;

/** The number of sites whose texts for browsers are kept compressed. Each takes about 10 kB. */
export const sitesKeptAtMost = 500;

/** Compresses a text with the best coding that the browser accepts (RFC 9110 section 12.5.3). */
export type Compressor = (visit: Visit, text: string) => Pick<VisitReply, "headers" | "body">;

/**
 * Creates a compressor for texts that many readers get. It compresses each text once in each coding, and keeps the
 * `keptAtMost` texts that were requested last. `effort`: see `qualities`.
 */
export function createCompressor(keptAtMost: number, effort: keyof typeof qualities): Compressor {
  const kept = { br: new Map<string, Buffer>(), gzip: new Map<string, Buffer>() };
  const bytesOf = (coding: Coding, text: string): Buffer => {
    const ofCoding = kept[coding];
    const bytes = ofCoding.get(text) ?? encoders[coding](text, effort);
    // A map lists its keys in the order in which they were set. So the first key was not requested for the longest
    // time.
    ofCoding.delete(text);
    ofCoding.set(text, bytes);
    if (ofCoding.size > keptAtMost) ofCoding.delete(ofCoding.keys().next().value!);
    return bytes;
  };
  return (visit, text) => replyIn(codingOf(visit), (coding) => bytesOf(coding, text), text);
}

function replyIn(coding: Coding | undefined, encode: (coding: Coding) => Buffer, text: string): ReturnType<Compressor> {
  const headers = { vary: "Accept-Encoding, Origin" };
  if (coding === undefined) return { headers, body: text };
  return { headers: { ...headers, "content-encoding": coding }, body: encode(coding) };
}

/**
 * Returns the coding of an answer. Browsers accept gzip everywhere, and brotli only over https and from their own
 * machine.
 */
function codingOf(visit: Visit): Coding | undefined {
  const accepted = visit.header("accept-encoding");
  return (["br", "gzip"] as const).find((coding) =>
    new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  );
}
