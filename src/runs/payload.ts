import { randomBytes } from "node:crypto";
import type { RunMessage } from "./run.ts";

/** RFC 8291 leaves 3,993 bytes of plaintext in a message of 4,096. */
export const maxPayloadBytes = 3_993;

/** The length of a message id and of a signed token (see message-token.ts), which fill the two gaps of a template. */
export const messageIdCharacters = 30;
export const messageTokenCharacters = 43;

/** The query parameter in which the signed token travels with the reader to the article. */
export const tokenParameter = "pressbell";

/**
 * The payload of a run as one buffer, the same for every recipient but for its gaps: where the message id and the
 * signed token go, as byte offsets. All messages of a run have one length, so that a batch of them packs.
 */
export type PayloadTemplate = { bytes: Buffer; idOffsets: number[]; tokenOffsets: number[] };

/**
 * Declarative Web Push (`web_push: 8030`): Safari shows it by itself, the service worker reads the same. The tag is the
 * run's, so that a repeated message replaces the first on the screen.
 */
export function payloadTemplate(runId: string, message: RunMessage): PayloadTemplate {
  const idGap = randomGap(messageIdCharacters);
  const tokenGap = randomGap(messageTokenCharacters);
  const payload = {
    web_push: 8030,
    notification: {
      title: message.title,
      body: message.body,
      navigate: withToken(message.url, tokenGap),
      tag: runId,
      ...(message.imageUrl === null ? {} : { image: message.imageUrl }),
      data: { id: idGap, token: tokenGap },
    },
  };
  const bytes = Buffer.from(JSON.stringify(payload));
  return { bytes, idOffsets: offsetsOf(bytes, idGap), tokenOffsets: offsetsOf(bytes, tokenGap) };
}

/** How many bytes the payload of a message has: the caller refuses what is over maxPayloadBytes. */
export function payloadBytes(message: RunMessage): number {
  return payloadTemplate("00000000-0000-0000-0000-000000000000", message).bytes.length;
}

/** By hand: URLSearchParams would write the article's own query anew, and a signed one would no longer hold. */
function withToken(url: string, tokenGap: string): string {
  const { href, hash } = new URL(url);
  const base = href.slice(0, href.length - hash.length);
  return `${base}${base.includes("?") ? "&" : "?"}${tokenParameter}=${tokenGap}${hash}`;
}

/** A stand-in of characters that JSON and URLs leave as they are, and that no text can hold by chance or by intent. */
function randomGap(characters: number): string {
  return randomBytes(characters).toString("base64url").slice(0, characters);
}

function offsetsOf(bytes: Buffer, gap: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(gap); at >= 0; at = bytes.indexOf(gap, at + gap.length)) offsets.push(at);
  return offsets;
}
