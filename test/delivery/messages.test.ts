import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { createEncryptor, type PlainBatch } from "../../src/delivery/crypto/encrypt.ts";
import { createMessageWriter } from "../../src/delivery/worker/messages.ts";
import type { Batch } from "../../src/runs/ledger/claim-batch.ts";
import { readMessageToken } from "../../src/runs/message-token.ts";
import type { RunMessage } from "../../src/runs/run.ts";
import { createSubscriptions } from "../fixtures/publisher.ts";

const tokenKey = createSecretKey(Buffer.alloc(32, 7));
const runId = "0198c1f2-aaaa-7bbb-8ccc-0123456789ab";

/** Returns the payloads that the readers of two batches would decrypt. */
function payloadsOf(receipts: Partial<RunMessage>): string[] {
  const encryptor = createEncryptor();
  const plain: string[] = [];
  const recording = {
    encryptBatch(batch: PlainBatch) {
      for (let i = 0; i < batch.count; i++) {
        const from = i * batch.plaintextBytes;
        plain.push(Buffer.from(batch.plaintexts.subarray(from, from + batch.plaintextBytes)).toString());
      }
      return encryptor.encryptBatch(batch);
    },
  };
  const message: RunMessage = { title: "T", body: "B", url: "https://news.example/a", imageUrl: null, ...receipts };
  for (const no of [1, 2]) {
    const write = createMessageWriter(recording, tokenKey, {
      runId,
      no,
      message,
      thread: { threadId: runId, sequence: 0 },
    } as Batch);
    write(
      createSubscriptions(2).map(({ endpoint, keys }, position) => ({
        id: position,
        mergedIds: [],
        endpoint,
        position,
        refusedRuns: 0,
        isRegistered: false,
        hasAccepted: true,
        p256dh: Buffer.from(keys.p256dh, "base64url"),
        auth: Buffer.from(keys.auth, "base64url"),
      })),
    );
  }
  return plain;
}

const tokenIn = (payload: string) => JSON.parse(payload).notification.data.token;

test("each message has a token of its own, which names run, batch and position", () => {
  const payloads = payloadsOf({});
  expect(new Set(payloads).size).toBe(4);
  expect(readMessageToken(tokenKey, tokenIn(payloads[3]!))).toEqual({ runId, no: 2, position: 1 });
});

test("where a site counts only sums, all readers get the same bytes, which name the run alone", () => {
  const payloads = payloadsOf({ receipts: "aggregate" });
  expect(new Set(payloads).size).toBe(1);
  expect(readMessageToken(tokenKey, tokenIn(payloads[0]!))).toEqual({ runId, no: 0, position: 0 });
});

test("where a site counts nothing, all readers get the same bytes, without a token", () => {
  const payloads = payloadsOf({ receipts: "off" });
  expect(new Set(payloads).size).toBe(1);
  expect(tokenIn(payloads[0]!)).toBe("");
});
