import { createSecretKey, randomBytes } from "node:crypto";
import { chooseEncryption, openEncryptor } from "../../src/delivery/crypto/encryption.ts";
import { createVapidSigner } from "../../src/delivery/crypto/vapid.ts";
import { createPushTransport } from "../../src/egress/push/transport.ts";
import { newId } from "../../src/ids.ts";
import { createLogger } from "../../src/log.ts";
import type { Batch } from "../../src/runs/ledger/claim-batch.ts";
import type { Recipient } from "../../src/subscribers/queries.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { createDirectDelivery } from "../direct-delivery.ts";
import { message } from "../message.ts";
import type { Sender, SenderOptions } from "./sender.ts";

/** The most recipients of a batch in the ledger. */
const batchSize = 1_000;

/** Pressbell's own delivery without a database: payloads and tokens, encryption, transport. */
export async function createDelivery({ subscriptions, inFlight, encryption }: SenderOptions): Promise<Sender> {
  const delivery = createDirectDelivery({
    encryptor: openEncryptor(await chooseEncryption(encryption), createLogger("warn")),
    transport: createPushTransport({ allowsOrigin: () => true, leanHttp2: true }),
    signer: createVapidSigner({ ...generateVapidPair(), subject: "mailto:bench@example.org", clock: Date.now }),
    tokenKey: createSecretKey(randomBytes(32)),
    inFlightAtMost: inFlight,
  });
  const recipients = subscriptions.map(
    ({ endpoint, keys }, i): Recipient => ({
      position: i % batchSize,
      mergedIds: [],
      id: i,
      endpoint,
      p256dh: Buffer.from(keys.p256dh, "base64url"),
      auth: Buffer.from(keys.auth, "base64url"),
      refusedRuns: 0,
      isRegistered: false,
      hasAccepted: true,
    }),
  );
  return {
    async sendAll() {
      const runId = newId();
      for (let no = 0; no * batchSize < recipients.length; no++) {
        const batch = { runId, no, message, thread: { threadId: runId, sequence: 0 }, urgency: "normal" } as Batch;
        await delivery.post(batch, recipients.slice(no * batchSize, (no + 1) * batchSize));
      }
      await delivery.settled();
    },
  };
}
