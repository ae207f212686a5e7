import type { Database } from "../db/database.ts";
import type { PushTransport } from "../egress/push-transport.ts";
import type { Logger } from "../log.ts";
import { type Batch, type BatchEnd, flushBatch, holdLane, leaseSeconds } from "../runs/batches.ts";
import { closeRun, endCodes } from "../runs/close-run.ts";
import { expiredCode, internalCode, invalidKeyCode, isFinal, stoppedCode } from "../runs/codes.ts";
import { type Recipient, recipientsByIds, retireSubscribers } from "../subscribers/queries.ts";
import { type BatchWork, giveBack, openWork, settle, takeNext } from "./batch-work.ts";
import type { Encryptor } from "./encrypt.ts";
import { createMessageWriter, type Message, type MessageWriter } from "./messages.ts";
import { readAnswer } from "./read-answer.ts";
import type { RunWatch } from "./run-watch.ts";
import type { VapidSigner } from "./vapid.ts";

/** Messages encrypted in one go: few enough that timers and answers are not kept waiting (some 5 ms). */
const encryptAtOnce = 32;
/** The claim is given up this long before its lease ends by the database's clock. */
const leaseMarginMs = 1_000;
/** A flush renews the lease at the latest after this. */
const heartbeatMs = 5_000;
const flushAgainMs = 200;

/** What a delivery thread has, to deliver batches with. */
export type Courier = {
  db: Database;
  log: Logger;
  /** Names this loop in the ledger. */
  owner: string;
  encryptor: Encryptor;
  transport: PushTransport;
  watch: RunWatch;
  tokenKey: Buffer;
  signerOf(siteId: string): Promise<VapidSigner>;
  /** How many intents one flush writes: half of what may be uncertain when this loop dies. */
  subBatch: number;
  isDraining(): boolean;
  now(): number;
};

/**
 * Delivers a claimed batch: commits the intents of a sub-batch, posts it, reads the answers as values, and so on until
 * each recipient has an outcome, or has to wait, or the run is stopped or paused, or the claim is lost. `claimedMs`:
 * monotonic, from before the claim was sent.
 */
export async function deliverBatch(courier: Courier, batch: Batch, claimedMs: number): Promise<void> {
  courier.watch.open(batch, claimedMs);
  try {
    const recipients = await recipientsByIds(courier.db, batch.siteId, batch.subscriberIds);
    const work = openWork(batch, recipients, claimedMs, leaseSeconds * 1_000 - leaseMarginMs);
    const write = createMessageWriter(courier.encryptor, courier.tokenKey, batch);
    const signer = await courier.signerOf(batch.siteId);
    await postAll(courier, work, write, signer);
    await landed(courier, work, 0);
    await finish(courier, work);
  } finally {
    courier.watch.close(batch);
  }
}

async function postAll(courier: Courier, work: BatchWork, write: MessageWriter, signer: VapidSigner): Promise<void> {
  while (work.due.length > 0 && (await mayPost(courier, work))) {
    const { next, undo } = takeNext(work, courier.subBatch);
    await flush(courier, work, { state: "open" });
    const posted = await postSubBatch(courier, work, next, write, signer);
    undo(next.slice(posted));
    await landed(courier, work, courier.subBatch);
  }
}

/** Posts what may be posted; returns how many were. The rest was neither encrypted nor written. */
async function postSubBatch(
  courier: Courier,
  work: BatchWork,
  next: Recipient[],
  write: MessageWriter,
  signer: VapidSigner,
): Promise<number> {
  for (let from = 0; from < next.length; from += encryptAtOnce) {
    if (!(await mayPost(courier, work))) return from;
    const group = next.slice(from, from + encryptAtOnce);
    for (const message of writeMessages(courier, work, group, write)) post(courier, work, message, signer);
  }
  return next.length;
}

/** A fault of ours in writing these messages fails them alone, and no other recipient. */
function writeMessages(courier: Courier, work: BatchWork, group: Recipient[], write: MessageWriter): Message[] {
  try {
    return write(group);
  } catch (error) {
    courier.log.error({ err: error, runId: work.batch.runId, no: work.batch.no }, "messages could not be written");
    for (const { position } of group) work.codes[position] = internalCode;
    return [];
  }
}

function post(courier: Courier, work: BatchWork, { recipient, body }: Message, signer: VapidSigner): void {
  if (body === undefined) {
    work.codes[recipient.position] = invalidKeyCode;
    return;
  }
  const { batch } = work;
  const url = URL.parse(recipient.endpoint);
  if (url === null) {
    courier.log.error({ runId: batch.runId, subscriberId: recipient.id }, "a subscriber's endpoint is no address");
    work.codes[recipient.position] = internalCode;
    return;
  }
  const { origin, pathname, search } = url;
  const headers = {
    ttl: String(Math.max(1, Math.ceil(batch.remainingMs / 1_000))),
    urgency: batch.urgency,
    // 32 characters: a message that is still stored for the reader is replaced, not joined.
    topic: batch.runId.replaceAll("-", ""),
    authorization: signer.authorization(origin),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
  };
  work.inFlight++;
  const mayStart = () => courier.watch.signalOf(batch) === "go" && performance.now() < work.leaseEndsMs;
  void courier.transport.post({ origin, path: pathname + search, headers, body, mayStart }).then((answer) => {
    work.inFlight--;
    if (answer.kind === "notSent" && answer.reason === "not_started") giveBack(work, recipient);
    else {
      settle(work, recipient, readAnswer(answer, batch.lane, courier.now()));
      work.lastFault =
        answer.kind !== "answered" ? answer.reason : answer.status > 202 ? `status ${answer.status}` : work.lastFault;
    }
    work.onAnswer();
  });
}

/**
 * Whether another POST may start: the claim is ours by our own clock, the time to live is not over, nobody stopped or
 * paused the run, and the push service has not asked for a rest. Waits while the last word on the run is too old.
 */
async function mayPost(courier: Courier, work: BatchWork): Promise<boolean> {
  while (work.signal === "go") {
    const now = performance.now();
    if (courier.isDraining() || work.laneHoldMs > 0 || now >= work.expiresMs) return false;
    if (now >= work.leaseEndsMs) {
      work.signal = "fenced";
      return false;
    }
    const signal = courier.watch.signalOf(work.batch);
    if (signal === "go") return true;
    if (signal === "stale") await courier.watch.nextAnswer();
    else work.signal = signal;
  }
  return false;
}

/** Waits until at most `atMost` messages are in flight, renewing the lease meanwhile. */
async function landed(courier: Courier, work: BatchWork, atMost: number): Promise<void> {
  while (work.inFlight > atMost) {
    const isLanded = await landedWithin(work, atMost, heartbeatMs);
    if (!isLanded) await flush(courier, work, { state: "open" });
  }
}

function landedWithin(work: BatchWork, atMost: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false);
    work.onAnswer = () => {
      if (work.inFlight > atMost) return;
      clearTimeout(timer);
      resolve(true);
    };
  });
}

/**
 * Makes the codes durable and brings back the run's signal. While the database is away it tries again for as long as
 * the claim is surely ours: what comes back later is another's. False: the claim is lost.
 */
async function flush(courier: Courier, work: BatchWork, end: BatchEnd): Promise<boolean> {
  while (work.signal !== "fenced") {
    const sentMs = performance.now();
    try {
      const write = { codes: Buffer.from(work.codes), repeated: work.repeated, end };
      const signal = await flushBatch(courier.db, work.batch, courier.owner, write);
      courier.watch.note(work.batch, signal, sentMs);
      if (signal !== "go") work.signal = signal;
      if (signal === "fenced") break;
      work.leaseEndsMs = sentMs + leaseSeconds * 1_000 - leaseMarginMs;
      return true;
    } catch (error) {
      courier.log.warn({ err: error, runId: work.batch.runId, no: work.batch.no }, "a flush failed and is tried again");
      if (performance.now() + flushAgainMs >= work.leaseEndsMs) work.signal = "fenced";
      else await new Promise((resolve) => setTimeout(resolve, flushAgainMs));
    }
  }
  return false;
}

/** Leaves the batch as it has to be left: at its end, parked for its retries, or free for whoever comes next. */
async function finish(courier: Courier, work: BatchWork): Promise<void> {
  if (work.signal === "fenced") return;
  const { batch } = work;
  if (work.signal === "stop") work.codes = endCodes(work.codes, stoppedCode);
  if (performance.now() >= work.expiresMs) work.codes = endCodes(work.codes, expiredCode);
  const end = endOf(work);
  if (end.state === "parked") {
    const { runId, no, lane } = batch;
    courier.log.warn({ runId, no, lane, afterMs: end.afterMs, fault: work.lastFault }, "a batch waits for its retries");
  }
  if (!(await flush(courier, work, end))) return;
  if (work.laneHoldMs > 0) await holdLane(courier.db, batch.siteId, batch.lane, work.laneHoldMs);
  if (work.gone.length > 0) await retireSubscribers(courier.db, batch.siteId, work.gone);
  if (end.state === "done") await closeRun(courier.db, batch);
}

function endOf(work: BatchWork): BatchEnd {
  if (work.codes.every(isFinal)) return { state: "done" };
  // Who was not tried yet, because of a drain or a pause, need not wait for the retries of the others.
  const isCutShort = work.due.length > 0 && work.laneHoldMs === 0;
  const afterMs = isCutShort ? 0 : Math.max(work.restMs, work.laneHoldMs);
  return afterMs > 0 ? { state: "parked", afterMs } : { state: "ready" };
}
