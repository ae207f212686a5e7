import type { Encryptor } from "../src/delivery/crypto/encrypt.ts";
import type { VapidSigner } from "../src/delivery/crypto/vapid.ts";
import { type Condition, createCondition } from "../src/delivery/worker/condition.ts";
import { createMessageWriter } from "../src/delivery/worker/messages.ts";
import type { PushTransport } from "../src/egress/push/transport.ts";
import type { Batch } from "../src/runs/batches.ts";
import type { Recipient } from "../src/subscribers/queries.ts";

/** Messages encrypted in one go, as a delivery thread does. */
const encryptAtOnce = 32;
const waitBudgetMs = 60_000;

/** Posts as a delivery thread does, with nothing written down. */
export type Poster = {
  /** Resolves when the last one is on its way. Throws when a push service is too slow. */
  post(batch: Batch, recipients: Recipient[]): Promise<void>;
  /** Resolves when all have been answered. Throws when one was not taken with 201. */
  landed(): Promise<void>;
};

export function createPoster(parts: {
  encryptor: Encryptor;
  transport: PushTransport;
  signer: VapidSigner;
  tokenKey: Buffer;
  inFlightAtMost: number;
}): Poster {
  const { encryptor, transport, signer, tokenKey, inFlightAtMost } = parts;
  const progress: Condition = createCondition();
  let inFlight = 0;
  let fault: string | undefined;

  async function until(isTrue: () => boolean): Promise<void> {
    const came = await progress.waitUntil(() => isTrue() || fault !== undefined, waitBudgetMs);
    if (!came || fault !== undefined) throw new Error(`not taken: ${fault ?? "no answer"}`);
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
    landed: () => until(() => inFlight === 0),
  };
}
