import type { Http2Session, ServerHttp2Session } from "node:http2";
import type { Behaviours, Rule } from "./behaviours.ts";
import type { Bodies } from "./bodies.ts";
import { checkRequest, MAX_BODY_BYTES } from "./check-request.ts";
import { type Exchange, RESET_CODES } from "./exchange.ts";
import type { Receipts } from "./receipts.ts";
import type { Receivers } from "./receivers.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { VapidCheck } from "./vapid.ts";

/** What one push service knows. */
export type World = {
  origin: string;
  subscriptions: Subscriptions;
  receivers: Receivers;
  behaviours: Behaviours;
  checkVapid: VapidCheck;
  answerDelayMs: number;
  sessions: WeakMap<Http2Session, Streams>;
  /** Replaced by a reset. */
  log: { receipts: Receipts; bodies: Bodies };
  /** Called after each receipt. */
  noted: () => void;
};

/** Stream ids of one HTTP/2 session; those above `dropAbove` are not processed any more. */
type Streams = { seen: number; taken: number; dropAbove: number };

/** How one message ends; `status` 0 is no answer. */
type Ending = { index: number; bytes: number; status: number; accepted: boolean; outcome: string };

/** Receives one request: checks it, notes a receipt and answers, or does what a behaviour says instead. */
export function receive(world: World, exchange: Exchange): void {
  const streams = streamsOf(world, exchange);
  const id = exchange.stream?.id ?? 0;
  if (id > streams.dropAbove) return;
  streams.seen = Math.max(streams.seen, id);
  const index = world.subscriptions.indexOfPath(exchange.path);
  const rule = index < 0 ? undefined : world.behaviours.pick(index);
  if (rule?.moment === "headers" && disturb(exchange, rule, streams)) {
    note(world, exchange, { index, bytes: 0, status: 0, accepted: false, outcome: rule.name });
    return;
  }
  exchange.read(
    MAX_BODY_BYTES,
    (body, bytes) => {
      if (id > streams.dropAbove) return;
      streams.taken = Math.max(streams.taken, id);
      judge(world, exchange, { index, bytes, body, rule: rule?.moment === "headers" ? undefined : rule });
    },
    () => {
      world.log.receipts.stats.aborted++;
      world.noted();
    },
  );
}

/** Meets a new HTTP/2 session: sends it away at once when a behaviour says so. */
export function greet(world: World, session: ServerHttp2Session): void {
  if (!world.behaviours.sendsAway()) return;
  // Requests may be read before the frame is out: they are dropped, as it will say.
  world.sessions.set(session, { seen: 0, taken: 0, dropAbove: 0 });
  // node:http2 reads 0 as "the last stream begun", which is 0 as long as none has.
  session.goaway(0, 0);
}

function streamsOf(world: World, exchange: Exchange): Streams {
  const fresh = { seen: 0, taken: 0, dropAbove: Number.POSITIVE_INFINITY };
  const session = exchange.stream?.session;
  if (!session) return fresh;
  const streams = world.sessions.get(session) ?? fresh;
  if (streams === fresh) world.sessions.set(session, fresh);
  return streams;
}

/** Does a behaviour that comes before the body; false when the message is to be processed all the same. */
function disturb(exchange: Exchange, rule: Rule, streams: Streams): boolean {
  const { stream } = exchange;
  if (rule.act === "goaway" && stream) {
    const { lastStreamId } = rule;
    // At least 1, as node:http2 cannot send 0 here: then stream 1, which has begun, is processed.
    const last = typeof lastStreamId === "number" ? lastStreamId : Math.max(1, streams[lastStreamId]);
    streams.dropAbove = Math.min(streams.dropAbove, last);
    exchange.goaway(last);
    return stream.id! > last;
  }
  exchange.resetStream(rule.act === "refuseStream" ? RESET_CODES.notProcessed : RESET_CODES.uncertain);
  return true;
}

type Read = { index: number; bytes: number; body: Buffer | undefined; rule: Rule | undefined };

function judge(world: World, exchange: Exchange, { index, bytes, body, rule }: Read): void {
  const { method, headers } = exchange;
  const applicationServerKey = index < 0 ? undefined : world.subscriptions.applicationServerKeyOf(index);
  const hasLeft = world.receivers.hasLeft(index);
  const request = { method, headers, body, subscriptionIndex: index, hasLeft, applicationServerKey };
  const verdict = checkRequest(request, world.checkVapid);
  if ("reason" in verdict) {
    const { status, reason } = verdict;
    note(world, exchange, { index, bytes, status, accepted: false, outcome: String(status) });
    const type = { "content-type": "application/json" };
    afterDelay(world.answerDelayMs, () => exchange.answer(status, type, JSON.stringify({ reason })));
    return;
  }
  const status = rule?.status ?? 201;
  const accepted = rule?.taken ?? true;
  // Only a browser can read what was encrypted for it: its bodies are not kept.
  if (accepted && !world.receivers.handOn(index, { body: body!, headers })) world.log.bodies.offer(index, body!);
  note(world, exchange, { index, bytes, status, accepted, outcome: status === 0 ? rule!.name : String(status) });
  finish(world, exchange, rule, accepted ? createdHeaders(world, exchange) : {});
}

/** RFC 8030 sections 5 and 5.2; the TTL granted is four weeks at most, as FCM does. */
function createdHeaders(world: World, exchange: Exchange): Record<string, string> {
  const location = `${world.origin}/message/${world.log.receipts.stats.received}`;
  return { location, ttl: String(Math.min(Number(exchange.headers.ttl), 2_419_200)) };
}

/** Answers a message whose checks have passed, or does not. */
function finish(world: World, exchange: Exchange, rule: Rule | undefined, created: Record<string, string>): void {
  if (rule?.act === "hang") return;
  if (rule?.act === "resetStream") {
    exchange.resetStream(RESET_CODES.uncertain);
    return;
  }
  if (rule?.act === "resetConnection") {
    exchange.resetConnection();
    return;
  }
  const { status = 201, body = "", delayMs = 0 } = rule ?? {};
  const headers = rule ? { ...created, ...rule.headers } : created;
  if (rule?.act === "drip") afterDelay(world.answerDelayMs, () => exchange.drip(status, headers, delayMs));
  else afterDelay(world.answerDelayMs + delayMs, () => exchange.answer(status, headers, body));
}

function afterDelay(delayMs: number, answer: () => void): void {
  // Not to keep the process alive.
  if (delayMs > 0) setTimeout(answer, delayMs).unref();
  else answer();
}

function note(world: World, exchange: Exchange, ending: Ending): void {
  const { ttl, topic, urgency } = exchange.headers;
  const receipt = {
    subscriptionIndex: ending.index,
    at: performance.timeOrigin + performance.now(),
    status: ending.status,
    accepted: ending.accepted,
    ttl: /^\d+$/.test(String(ttl)) ? Number(ttl) : undefined,
    topic: topic === undefined ? undefined : String(topic),
    urgency: urgency === undefined ? undefined : String(urgency),
    bytes: ending.bytes,
  };
  world.log.receipts.add(receipt, ending.outcome);
  world.noted();
}
