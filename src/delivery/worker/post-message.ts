import type { PushAnswer } from "../../egress/push/transport.ts";
import { internalCode, invalidKeyCode } from "../../runs/codes.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import { type Outcome, readAnswer } from "../answers/read-answer.ts";
import { describeAnswer } from "../answers/refusal-reasons.ts";
import { giveBack, holdLane, settle } from "./batch-state.ts";
import type { Delivery } from "./context.ts";
import type { Message } from "./messages.ts";

/** How long a lane that refuses our key is left alone: whoever mends it needs minutes, and each probe costs one message. */
const refusedRestMs = 5 * 60_000;

/** A fault of ours in writing these messages fails them alone, and no other recipient. */
export function writeMessages({ context, work, write }: Delivery, group: Recipient[]): Message[] {
  try {
    return write(group);
  } catch (error) {
    context.log.error({ err: error, runId: work.batch.runId, no: work.batch.no }, "messages could not be written");
    for (const { position } of group) work.codes[position] = internalCode;
    return [];
  }
}

/** Posts one message. Its answer is settled when it comes, and noted as a change. */
export function post(delivery: Delivery, { recipient, body }: Message): void {
  const { context, work, lane } = delivery;
  if (body === undefined) {
    work.codes[recipient.position] = invalidKeyCode;
    return;
  }
  const url = URL.parse(recipient.endpoint);
  if (url === null) {
    const { runId } = work.batch;
    context.log.error({ runId, subscriberId: recipient.id }, "a subscriber's endpoint is no address");
    work.codes[recipient.position] = internalCode;
    return;
  }
  const { origin, pathname, search } = url;
  if (!lane.window.isFailing() && lane.sideHosts.restMs(origin) > 0) {
    work.lastFault ??= `${origin} mostly fails and is left alone`;
    settle(work, recipient, { kind: "retry", effect: "neither", afterMs: null });
    return;
  }
  const request = { origin, path: pathname + search, headers: headersOf(delivery, origin), body };
  work.inFlight++;
  const begunMs = lane.window.begin();
  lane.sideHosts.begin(origin);
  const mayStart = () => mayStartNow(delivery, begunMs);
  void context.transport.post({ ...request, mayStart }).then((answer) => {
    work.inFlight--;
    const outcome = outcomeOf(delivery, answer);
    const effect = lane.sideHosts.end(origin, begunMs, outcome?.effect ?? "neither", lane.window.isFailing());
    lane.window.end(begunMs, effect);
    if (outcome === undefined) giveBack(work, recipient);
    else settleAnswer(delivery, recipient, answer, outcome);
    context.progress.notify();
  });
}

function headersOf({ work, signer, topic }: Delivery, origin: string): Record<string, string> {
  const { batch } = work;
  const remainingMs = work.expiresMs - performance.now();
  return {
    ttl: String(Math.max(1, Math.ceil(remainingMs / 1_000))),
    urgency: batch.urgency,
    topic,
    authorization: signer.authorization(origin),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
  };
}

/** Asked by the transport when it would write the message: what waited for a connection may have been overtaken. */
function mayStartNow({ context, work, lane }: Delivery, begunMs: number): boolean {
  const nowMs = performance.now();
  if (work.signal !== "go" || context.watch.signalOf(work.batch) !== "go") return false;
  if (nowMs >= work.leaseEndsMs || nowMs >= work.expiresMs) return false;
  return lane.restMs() === 0 && !lane.window.restsSince(begunMs);
}

/** What an answer means; undefined where the message was not written after all. */
function outcomeOf({ context, work, lane }: Delivery, answer: PushAnswer): Outcome | undefined {
  if (answer.kind === "notSent" && answer.reason === "not_started") return undefined;
  return lane.weigh(readAnswer(answer, work.batch.lane, context.now()));
}

function settleAnswer({ work, lane }: Delivery, recipient: Recipient, answer: PushAnswer, outcome: Outcome): void {
  settle(work, recipient, outcome);
  work.lastFault = describeAnswer(answer, work.batch.lane) ?? work.lastFault;
  if (outcome.kind === "retry" && outcome.restMs !== undefined) lane.rest(outcome.restMs);
  if (outcome.kind !== "final") return;
  const refusal = lane.judge(outcome.code);
  if (refusal === undefined) return;
  lane.rest(refusedRestMs);
  holdLane(work, refusedRestMs, refusal);
}
