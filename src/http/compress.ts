import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Visit, VisitReply } from "../route.ts";

/** How hard brotli tries: `once` for a text that is compressed once for all readers, `each` for one of each request. */
const qualities = { once: constants.BROTLI_MAX_QUALITY, each: 5 };

const encoders = {
  br: (text: string, effort: keyof typeof qualities) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: qualities[effort] } }),
  gzip: (text: string) => gzipSync(text),
};

type Coding = keyof typeof encoders;

/** Compresses a text with the best coding that the browser accepts (RFC 9110 section 12.5.3). */
export type Compressor = (visit: Visit, text: string) => Pick<VisitReply, "headers" | "body">;

/** Compresses for this request only. */
export function compress(visit: Visit, text: string): ReturnType<Compressor> {
  return replyIn(codingOf(visit), (coding) => encoders[coding](text, "each"), text);
}

/** Creates a compressor that keeps the last text in each coding, for what all readers get. */
export function createCompressor(): Compressor {
  const kept = new Map<Coding, { text: string; bytes: Buffer }>();
  const bytesOf = (coding: Coding, text: string): Buffer => {
    const last = kept.get(coding);
    if (last?.text === text) return last.bytes;
    const bytes = encoders[coding](text, "once");
    kept.set(coding, { text, bytes });
    return bytes;
  };
  return (visit, text) => replyIn(codingOf(visit), (coding) => bytesOf(coding, text), text);
}

function replyIn(coding: Coding | undefined, encode: (coding: Coding) => Buffer, text: string): ReturnType<Compressor> {
  const headers = { vary: "Accept-Encoding, Origin" };
  if (coding === undefined) return { headers, body: text };
  return { headers: { ...headers, "content-encoding": coding }, body: encode(coding) };
}

/** Browsers accept brotli only over https and from their own machine, gzip everywhere. */
function codingOf(visit: Visit): Coding | undefined {
  const accepted = visit.header("accept-encoding");
  return (["br", "gzip"] as const).find((coding) =>
    new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  );
}
