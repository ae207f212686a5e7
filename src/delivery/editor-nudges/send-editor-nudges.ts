import type { App } from "../../app.ts";
import type { PushTransport } from "../../egress/push/transport.ts";
import { finalCode, finalCodes } from "../../runs/ledger/codes.ts";
import {
  claimEditorNudge,
  type DueNudge,
  deleteDevice,
  deleteEditorNudge,
} from "../../subscribers/editor-devices/queries.ts";
import { countSubscribers } from "../../subscribers/queries.ts";
import { freezeSegment } from "../../subscribers/segments/queries.ts";
import { readAnswer } from "../answers/read-answer.ts";
import { createEncryptor } from "../crypto/encrypt.ts";
import type { VapidSigner } from "../crypto/vapid.ts";

const againAfterSeconds = 30;
const maxTries = 5;
/** The time to live. After an hour it is too late to ask whether to send the story. */
const ttlSeconds = 3_600;
/** The count of readers stops here, because a larger figure changes no decision. */
const countAtMost = 1_000_000;

export type NudgeContext = {
  transport: Pick<PushTransport, "post">;
  signerOf: (siteId: string, publicKey: Buffer) => Promise<VapidSigner>;
};

/**
 * Notifies editors' devices of the due drafts that feeds suggest, one after the other. Any number of processes may
 * call it. If a process dies, its notification is sent again. Returns how many notifications were accepted.
 */
export async function sendEditorNudges(app: App, context: NudgeContext, isEnding = () => false): Promise<number> {
  for (let taken = 0; ; ) {
    const nudge = isEnding() ? undefined : await claimEditorNudge(app.db, againAfterSeconds);
    if (nudge === undefined) return taken;
    if (await sendOne(app, context, nudge)) taken++;
  }
}

async function sendOne(app: App, context: NudgeContext, nudge: DueNudge): Promise<boolean> {
  if (!nudge.isWanted) {
    await deleteEditorNudge(app.db, nudge);
    return false;
  }
  const { origin, pathname, search } = new URL(nudge.endpoint);
  const body = encrypt(nudge, await payloadOf(app, nudge));
  if (body === undefined) return drop(app, nudge, "invalid_key");
  const signer = await context.signerOf(nudge.siteId, nudge.vapidPublicKey);
  const headers = {
    ttl: String(ttlSeconds),
    urgency: "high",
    authorization: signer.authorization(origin),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
  };
  const answer = await context.transport.post({ origin, path: pathname + search, headers, body });
  const outcome = readAnswer(answer, nudge.pushService, app.now());
  if (outcome.kind !== "final") {
    if (nudge.tries >= maxTries) await deleteEditorNudge(app.db, nudge);
    return false;
  }
  if (outcome.code !== finalCode.accepted) return drop(app, nudge, finalCodes[outcome.code].reason);
  await deleteEditorNudge(app.db, nudge);
  return true;
}

/** Deletes a device that its push service does not know or refuses. The dashboard then offers to add it again. */
async function drop(app: App, { deviceId, siteId }: DueNudge, reason: string): Promise<false> {
  await deleteDevice(app.db, deviceId);
  app.log.info({ deviceId, siteId, reason }, "a device of an editor was removed");
  return false;
}

async function payloadOf(app: App, nudge: DueNudge): Promise<Buffer> {
  const { siteId, campaignId, topicIds, segmentId, followersOf, title, body } = nudge;
  const segment = await freezeSegment(app.db, siteId, segmentId);
  const readers = await countSubscribers(app.db, siteId, { topicIds, segment, followersOf }, countAtMost);
  const number = readers.toLocaleString("en");
  const question =
    readers === 1 ? "Send this to 1 reader?" : `Send this to ${number}${readers === countAtMost ? "+" : ""} readers?`;
  return Buffer.from(JSON.stringify({ title: question, body: title ?? body, campaignId }));
}

function encrypt({ p256dh, auth }: DueNudge, payload: Buffer): Buffer | undefined {
  const { bodies, invalid } = createEncryptor().encryptBatch({
    count: 1,
    publicKeys: p256dh,
    authSecrets: auth,
    plaintexts: payload,
    plaintextBytes: payload.length,
  });
  return invalid[0] === 1 ? undefined : bodies;
}
