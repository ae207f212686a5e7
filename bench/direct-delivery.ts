import type { KeyObject } from "node:crypto";
import type { Encryptor } from "../src/delivery/crypto/encrypt.ts";
import type { VapidSigner } from "../src/delivery/crypto/vapid.ts";
import { type ConditionVariable, createConditionVariable } from "../src/delivery/worker/condition-variable.ts";
import { createMessageWriter } from "../src/delivery/worker/messages.ts";
import type { PushTransport } from "../src/egress/push/transport.ts";
import type { Batch } from "../src/runs/ledger/claim-batch.ts";
import type { Recipient } from "../src/subscribers/queries.ts";

/** Messages encrypted in one call, as in a delivery thread. */
const encryptAtOnce = 32;
const answerTimeoutMs = 60_000;

/** Encrypts and posts messages as a delivery thread does, without the ledger. */
export type DirectDelivery = {
  /**
   * Resolves when the last message of the batch is in flight. Throws when a message was not accepted or answers take
   * too long.
   */
  post(batch: Batch, recipients: Recipient[]): Promise<void>;
  /** Resolves when all messages are answered. Throws when one was not answered with 201. */
  settled(): Promise<void>;
};

export function createDirectDelivery(parts: {
  encryptor: Encryptor;
  transport: PushTransport;
  signer: VapidSigner;
  tokenKey: KeyObject;
  inFlightAtMost: number;
}): DirectDelivery {
  const { encryptor, transport, signer, tokenKey, inFlightAtMost } = parts;
  const progress: ConditionVariable = createConditionVariable();
  let inFlight = 0;
  let fault: string | undefined;

  async function until(isTrue: () => boolean): Promise<void> {
    const isMet = await progress.waitUntil(() => isTrue() || fault !== undefined, answerTimeoutMs);
    if (!isMet || fault !== undefined) throw new Error(`not accepted: ${fault ?? "no answer"}`);
  }

  function postOne(batch: Batch, endpoint: string, body: Buffer): void {
    const { origin, pathname } = new URL(endpoint);
    const headers = {
      ttl: "3600",
      urgency: batch.urgency,
      topic: batch.runId.replaceAll("-", ""),
      authorization: signer.authorization(origin),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
    };
    inFlight++;
    void transport.post({ origin, path: pathname, headers, body }).then((answer) => {
      inFlight--;
      if (answer.kind !== "answered" || answer.status !== 201) fault = JSON.stringify(answer);
      progress.notify();
    });
  }

  return {
    async post(batch, recipients) {
      const write = createMessageWriter(encryptor, tokenKey, batch);
      for (let from = 0; from < recipients.length; from += encryptAtOnce) {
        const group = recipients.slice(from, from + encryptAtOnce);
        await until(() => inFlight <= Math.max(0, inFlightAtMost - group.length));
        for (const { recipient, body } of write(group)) postOne(batch, recipient.endpoint, body!);
      }
    },
    settled: () => until(() => inFlight === 0),
  };
}
