import { randomBytes } from "node:crypto";
import { addToQuery, directionOf } from "./article-link.ts";
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
 * run's, so that a repeated message replaces the first on the screen, or that of the run which it corrects.
 */
export function payloadTemplate(runId: string, message: RunMessage): PayloadTemplate {
  const idGap = randomGap(messageIdCharacters);
  const tokenGap = randomGap(messageTokenCharacters);
  const { title, body, url, imageUrl, iconUrl = null, language = null, clickBase } = message;
  const dir = language === null ? undefined : directionOf(language);
  const payload = {
    web_push: 8030,
    notification: {
      title,
      body,
      navigate: clickBase === undefined ? addToQuery(url, `${tokenParameter}=${tokenGap}`) : clickBase + tokenGap,
      tag: tagOf(runId, message),
      ...(iconUrl === null ? {} : { icon: iconUrl }),
      ...(imageUrl === null ? {} : { image: imageUrl }),
      ...(language === null ? {} : { lang: language }),
      ...(dir === undefined ? {} : { dir }),
      data: { id: idGap, token: tokenGap },
    },
  };
  const bytes = Buffer.from(JSON.stringify(payload));
  return { bytes, idOffsets: offsetsOf(bytes, idGap), tokenOffsets: offsetsOf(bytes, tokenGap) };
}

/** By what a message replaces another one of its reader. */
export function tagOf(runId: string, { tag = runId }: RunMessage): string {
  return tag;
}

/** How many bytes the payload of a message has: the caller refuses what is over maxPayloadBytes. */
export function payloadBytes(message: RunMessage): number {
  return payloadTemplate("00000000-0000-0000-0000-000000000000", message).bytes.length;
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
