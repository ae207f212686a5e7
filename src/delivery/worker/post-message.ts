import type { PushAnswer } from "../../egress/push/transport.ts";
import { classOf, finalCode } from "../../runs/ledger/codes.ts";
import { isSideHost } from "../../subscribers/push-service.ts";
import type { Recipient } from "../../subscribers/queries.ts";
import { type Outcome, readAnswer } from "../answers/read-answer.ts";
import { describeAnswer, unknownReason } from "../answers/refusal-reasons.ts";
import type { TryOutcome } from "../counters.ts";
import type { Witness } from "../pace/key-trust.ts";
import type { BatchEvent } from "./batch-state.ts";
import type { Delivery } from "./context.ts";
import type { Message } from "./messages.ts";

/** How one try ended: an event for the state of its batch. */
export type TryEnded = Extract<BatchEvent, { kind: "outcome" }>;

/**
 * The rest of a push service that refuses the key. It is long, because a fix takes a person minutes, and each probe
 * costs a message.
 */
const refusedRestMs = 5 * 60_000;

/**
 * Posts one message. Resolves with its outcome when the push service has answered or the try has failed. Rejects only
 * for a fault in Pressbell: see `faulted`.
 */
export async function postMessage(delivery: Delivery, { recipient, body }: Message): Promise<TryEnded> {
  const { context, state, pushService } = delivery;
  if (body === undefined) return failed(recipient, finalCode.invalidKey);
  const url = URL.parse(recipient.endpoint);
  if (url === null) {
    const { runId } = state.batch;
    context.log.error({ runId, subscriberId: recipient.id }, "a subscriber's endpoint is not a URL");
    return failed(recipient, finalCode.internal);
  }
  const { origin, pathname, search } = url;
  const resting = restOfHost(delivery, origin);
  if (resting !== undefined) {
    const outcome: Outcome = { kind: "retry", effect: "neither", afterMs: null };
    return { kind: "outcome", recipient, outcome, fault: `${origin} ${resting} and is not tried for a while` };
  }
  const begunMs = pushService.window.begin();
  pushService.sideHosts.begin(origin);
  context.counters.posted(state.batch.pushService);
  const mayStart = () => mayStartNow(delivery, begunMs);
  const request = { origin, path: pathname + search, headers: headersOf(delivery, origin), body, mayStart };
  const postedMs = performance.now();
  const answer = await context.transport.post(request);
  const outcome = outcomeOf(delivery, recipient, origin, answer);
  const effect = pushService.sideHosts.end(
    origin,
    begunMs,
    outcome?.effect ?? "neither",
    pushService.window.isFailing(),
  );
  // If the service limits this site, other sites of this push service must not become slower.
  pushService.window.end(begunMs, effect === "throttled" && state.batch.isRateLimited ? "refused" : effect);
  context.counters.ended(state.batch.pushService, outcome && tallied(outcome), (performance.now() - postedMs) / 1_000);
  if (outcome === undefined) return { kind: "outcome", recipient, outcome: { kind: "notStarted" } };
  const fault = describeAnswer(answer, state.batch.pushService);
  restPushService(delivery, outcome, { begunMs, hasAccepted: recipient.hasAccepted }, fault);
  const unknown = outcome.kind === "final" ? unknownReason(answer, state.batch.pushService, outcome.code) : undefined;
  return { kind: "outcome", recipient, outcome, fault, unknownReason: unknown };
}

/** Returns the end of a try that met a fault in Pressbell. The fault fails only this recipient. */
export function faulted({ context, state }: Delivery, recipient: Recipient, error: unknown): TryEnded {
  const { runId, no } = state.batch;
  context.log.error({ err: error, runId, no }, "a message could not be posted");
  return failed(recipient, finalCode.internal);
}

function tallied(outcome: Outcome): TryOutcome {
  if (outcome.kind !== "final") return outcome.kind;
  const name = classOf(outcome.code);
  return name === "accepted" || name === "gone" ? name : "failed";
}

/**
 * Returns why a side host gets no messages now; undefined if it may get them. While the whole push service fails, any
 * of its hosts may get the probe, even one that mostly fails.
 */
function restOfHost({ pushService }: Delivery, origin: string): string | undefined {
  if (pushService.waits.hostRestMs(origin) > 0) return "has asked to wait";
  return !pushService.window.isFailing() && pushService.sideHosts.restMs(origin) > 0 ? "mostly fails" : undefined;
}

/** Returns the end of a try without a POST. */
export function failed(recipient: Recipient, code: typeof finalCode.internal | typeof finalCode.invalidKey): TryEnded {
  return { kind: "outcome", recipient, outcome: { kind: "final", effect: "neither", code } };
}

function headersOf({ state, signer, topic }: Delivery, origin: string): Record<string, string> {
  const remainingMs = state.expiresMs - performance.now();
  return {
    ttl: String(Math.max(1, Math.ceil(remainingMs / 1_000))),
    urgency: state.batch.urgency,
    topic,
    authorization: signer.authorization(origin),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
  };
}

/**
 * Returns whether a message may still be written. The transport asks immediately before the write. A stop, the end of
 * the lease or a rest of the push service may have come while the message waited for a connection.
 */
function mayStartNow({ context, state, pushService }: Delivery, begunMs: number): boolean {
  const nowMs = performance.now();
  if (state.signal !== "go" || context.watch.signalOf(state.batch) !== "go") return false;
  if (nowMs >= state.leaseEndsMs || nowMs >= state.expiresMs) return false;
  return pushService.restMs() === 0 && !pushService.window.restsSince(begunMs);
}

/** Returns the outcome of an answer; undefined if the message was not written after all. */
function outcomeOf(
  { context, state, pushService }: Delivery,
  { id }: Recipient,
  origin: string,
  answer: PushAnswer,
): Outcome | undefined {
  if (answer.kind === "notSent" && answer.reason === "not_started") return undefined;
  const outcome = readAnswer(answer, state.batch.pushService, context.now());
  return pushService.waits.decide(outcome, {
    subscriberId: id,
    origin,
    isSideHost: isSideHost(state.batch.pushService, origin),
  });
}

/** Lets the push service rest if it asks to wait or refuses the key. */
function restPushService(delivery: Delivery, outcome: Outcome, witness: Witness, fault: string | undefined): void {
  const { context, state, pushService } = delivery;
  if (outcome.kind === "retry" && outcome.restMs !== undefined) {
    pushService.rest(outcome.restMs, undefined, outcome.perhapsReader);
  }
  if (outcome.kind !== "final") return;
  if (outcome.code === finalCode.accepted) pushService.recordFlow();
  const refusal = pushService.key.check(outcome.code, witness);
  if (refusal === undefined) return;
  const isKnown = pushService.restReason() === refusal && pushService.restMs() > 0;
  pushService.rest(refusedRestMs, refusal);
  // Messages that were on the wire with this one are refused too, and one line is enough for all of them.
  if (isKnown) return;
  const { siteId, pushService: name } = state.batch;
  const line = { siteId, pushService: name, reason: refusal, forMs: refusedRestMs, said: fault };
  context.log.error(line, "a push service refuses the site's key: nothing is sent there until it takes a message");
}
