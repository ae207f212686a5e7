import type { KeyObject } from "node:crypto";
import type { Batch } from "../../runs/ledger/claim-batch.ts";
import { createMessageSigner, sharedBatch } from "../../runs/message-token.ts";
import { type PayloadTemplate, payloadTemplate } from "../../runs/payload.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import type { Encryptor } from "../crypto/encrypt.ts";

/** The encrypted body for one recipient; undefined if the subscription's key is not a point on P-256. */
export type Message = { recipient: Recipient; body: Buffer | undefined };

/** Writes and encrypts the messages of one batch. Not reentrant, like the encryptor. */
export type MessageWriter = (recipients: Recipient[]) => Message[];

/**
 * Returns the message writer for `batch`. The payload is built once. Only its gaps differ, so messages pack into one
 * buffer.
 */
export function createMessageWriter(encryptor: Encryptor, tokenKey: KeyObject, batch: Batch): MessageWriter {
  const template = payloadTemplate(batch.thread, batch.message);
  // If the site does not track its readers, all messages of a run are the same.
  const isShared = batch.message.receipts !== undefined;
  const sign = createMessageSigner(tokenKey, batch.runId, isShared ? sharedBatch : batch.no);
  return (recipients) => {
    const count = recipients.length;
    const plaintextBytes = template.bytes.length;
    const plaintexts = Buffer.allocUnsafe(count * plaintextBytes);
    const publicKeys = Buffer.allocUnsafe(count * 65);
    const authSecrets = Buffer.allocUnsafe(count * 16);
    recipients.forEach((recipient, i) => {
      fillTemplate(template, plaintexts, i * plaintextBytes, sign(isShared ? 0 : recipient.position));
      publicKeys.set(recipient.p256dh, i * 65);
      authSecrets.set(recipient.auth, i * 16);
    });
    const sealed = encryptor.encryptBatch({ count, publicKeys, authSecrets, plaintexts, plaintextBytes });
    return recipients.map((recipient, i) => ({
      recipient,
      body:
        sealed.invalid[i] === 1 ? undefined : sealed.bodies.subarray(i * sealed.bodyBytes, (i + 1) * sealed.bodyBytes),
    }));
  };
}

function fillTemplate(template: PayloadTemplate, out: Buffer, at: number, names: { id: string; token: string }): void {
  out.set(template.bytes, at);
  for (const offset of template.idOffsets) out.write(names.id, at + offset, "latin1");
  for (const offset of template.tokenOffsets) out.write(names.token, at + offset, "latin1");
}
