import { randomBytes } from "node:crypto";
import { addToFragment, directionOf } from "./article-link.ts";
import type { NudgeAction, RunMessage, Thread } from "./run.ts";

/** RFC 8291 leaves 3,993 bytes of plaintext in a message of 4,096 bytes. */
export const maxPayloadBytes = 3_993;

/** The lengths of a message id and of a signed token (message-token.ts), which fill the gaps of a template. */
export const messageIdCharacters = 30;
export const messageTokenCharacters = 43;

/**
 * The payload of a run as one buffer. It is equal for all recipients except for its gaps. `idOffsets` and
 * `tokenOffsets`: the byte offsets of the message id and of the signed token. All messages of a run have the same
 * length, so that a batch of them fits into one buffer.
 */
export type PayloadTemplate = { bytes: Buffer; idOffsets: number[]; tokenOffsets: number[] };

/**
 * Returns the payload as Declarative Web Push (`web_push: 8030`). Safari shows it without a service worker; the service
 * worker reads the same fields. The tag is the thread's id, so that a message replaces an earlier one of its thread on
 * the reader's screen.
 */
export function payloadTemplate(thread: Thread, message: RunMessage): PayloadTemplate {
  const idGap = randomGap(messageIdCharacters);
  const tokenGap = randomGap(messageTokenCharacters);
  const { title, body, url, imageUrl, iconUrl = null, update, extras = {} } = message;
  const { storyId: _, actions = [], appBadge, lang = message.language ?? null, ...behaviour } = extras;
  const dir = lang === null ? undefined : directionOf(lang);
  // The number of a button follows the token in its address.
  const toAction = (action: NudgeAction, i: number) => ({
    action: `${i + 1}`,
    title: action.title,
    navigate: navigateTo(message, action.url, `${tokenGap}${i + 1}`),
  });
  const payload = {
    web_push: 8030,
    notification: {
      title,
      body,
      navigate: navigateTo(message, url, tokenGap),
      ...(actions.length === 0 ? {} : { actions: actions.map(toAction) }),
      tag: thread.threadId,
      ...(iconUrl === null ? {} : { icon: iconUrl }),
      ...(imageUrl === null ? {} : { image: imageUrl }),
      ...(lang === null ? {} : { lang }),
      ...(dir === undefined ? {} : { dir }),
      ...behaviour,
      ...(update ? { silent: true } : {}),
      data: { id: idGap, ...reportOf(message, tokenGap), ...placeOf(thread, message) },
    },
    ...(appBadge === undefined ? {} : { app_badge: appBadge }),
  };
  const bytes = Buffer.from(JSON.stringify(payload));
  return { bytes, idOffsets: offsetsOf(bytes, idGap), tokenOffsets: offsetsOf(bytes, tokenGap) };
}

function navigateTo({ clickBase, receipts }: RunMessage, url: string, token: string): string {
  if (receipts === "off") return url;
  return clickBase === undefined ? addToFragment(url, `pressbell-${token}`) : clickBase + token;
}

/** Returns the fields that the service worker needs for its reports. An empty token stops all reports. */
function reportOf({ receipts }: RunMessage, token: string): { token: string; counts?: "together" } {
  if (receipts === "off") return { token: "" };
  return receipts === "aggregate" ? { token, counts: "together" } : { token };
}

/**
 * Returns the order of a message among those with the same tag. `update`: whether the message plays a sound for a
 * reader who has not had the notification.
 */
function placeOf({ sequence }: Thread, { update, extras }: RunMessage): { order?: number; update?: "loud" | "silent" } {
  if (sequence === 0) return {};
  return update ? { order: sequence, update: extras?.silent ? "silent" : "loud" } : { order: sequence };
}

/** Returns the size of a message's payload in bytes. */
export function payloadBytes(message: RunMessage, sequence = 0): number {
  return payloadTemplate({ threadId: "00000000-0000-0000-0000-000000000000", sequence }, message).bytes.length;
}

/**
 * Returns the worst-case size in bytes of a notification's payload, because the receipt mode and the sequence in the
 * thread are not known at creation. The caller refuses more than maxPayloadBytes.
 */
export function largestPayloadBytes(nudge: RunMessage): number {
  return payloadBytes({ ...nudge, update: true, receipts: "aggregate" }, 9_999_999);
}

/** Returns a random placeholder. JSON and URLs do not escape it, and no text contains it by chance or on purpose. */
function randomGap(characters: number): string {
  return randomBytes(characters).toString("base64url").slice(0, characters);
}

function offsetsOf(bytes: Buffer, gap: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(gap); at >= 0; at = bytes.indexOf(gap, at + gap.length)) offsets.push(at);
  return offsets;
}
