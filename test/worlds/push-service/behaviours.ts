/** What is done to a message instead of the plain 201. */
type Act = "answer" | "drip" | "hang" | "resetStream" | "resetConnection" | "refuseStream" | "goaway";

/** When: as an HTTP/2 session opens, on a request's headers (its body unread, unchecked), or once all checks passed. */
type Moment = "session" | "headers" | "checked";

export type Behaviour = {
  act: Act;
  moment: Moment;
  /** Whether the message counts as accepted, answered or not: the reader would get it. */
  taken: boolean;
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Before an answer; between two bytes of a dripped body. */
  delayMs: number;
};

const answer = (status: number, headers: Record<string, string> = {}): Behaviour => {
  const taken = status >= 200 && status < 300;
  const body = taken ? "" : JSON.stringify({ reason: "told to answer so" });
  return { act: "answer", moment: "checked", taken, status, headers, body, delayMs: 0 };
};
const fault = (act: Act, moment: Moment, taken: boolean): Behaviour => {
  return { act, moment, taken, status: 0, headers: {}, body: "", delayMs: 0 };
};

/** Each behaviour by its name; without an answer the status is 0. */
export const BEHAVIOURS = {
  answer: answer(201),
  notFound: answer(404),
  gone: answer(410, { "cache-control": "max-age=86400" }),
  forbidden: answer(403),
  throttle: answer(429, { "retry-after": "1" }),
  unavailable: answer(503),
  /** To this same service, so that a client which follows is seen in the counters (as a 404). */
  redirect: answer(307, { location: "/elsewhere" }),
  /** 201 at once, then a body of one byte each `delayMs` that never ends. */
  slowBody: { ...answer(201), act: "drip", delayMs: 1000 },
  /** Reads and checks, never answers, does not take the message. */
  hang: fault("hang", "checked", false),
  /** Takes the message, then the answer is lost: RST_STREAM in HTTP/2, the connection in HTTP/1.1. */
  reset: fault("resetStream", "checked", true),
  resetBefore: fault("resetStream", "headers", false),
  /** As reset, and takes down the TCP connection with all that was in flight on it. */
  resetConnection: fault("resetConnection", "checked", true),
  /** RST_STREAM(REFUSED_STREAM): not processed (RFC 9113 section 8.7). In HTTP/1.1 the connection is reset. */
  refuseStream: fault("refuseStream", "headers", false),
  /** GOAWAY (RFC 9113 section 6.8), see `lastStreamId`. In HTTP/1.1 the connection is reset. */
  goaway: fault("goaway", "headers", false),
  /** GOAWAY with last stream id 0 as a session opens: nothing on it is processed. No receipts; `match` says nothing. */
  goawayAtOnce: fault("goaway", "session", false),
} as const satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof BEHAVIOURS;

/** Which messages; all given parts must hold, none given means all. */
export type Match = {
  endpoint?: string;
  /** Subscription indexes from (inclusive) to (exclusive), in order of creation. */
  from?: number;
  to?: number;
  /** Between 0 and 1: a share of subscriptions, always the same ones for a seed; or of messages, drawn one by one. */
  fraction?: number;
  per?: "subscription" | "message";
  seed?: number;
};

export type AnswerWith = {
  behaviour?: BehaviourName;
  match?: Match;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** How many messages it is for; all, unless given. */
  times?: number;
  /**
   * For goaway: the highest stream taken so far, at least 1 ("taken", the default: all above it are dropped unread),
   * the highest seen ("seen": all begun are still answered), or an odd number, which may be a lie.
   */
  lastStreamId?: "taken" | "seen" | number;
};

export type Rule = Behaviour & { name: BehaviourName; lastStreamId: "taken" | "seen" | number };
export type Behaviours = {
  /** Adds a rule; the newest that matches wins. Answers the function that takes it back. Throws a RangeError on what cannot be done. */
  add(input: AnswerWith): () => void;
  /** The rule for a message to this subscription, counted as used. */
  pick(subscriptionIndex: number): Rule | undefined;
  /** Whether an HTTP/2 session that opens now is sent away, counted as used. */
  sendsAway(): boolean;
  clear(): void;
};

type Entry = { rule: Rule; matches: (index: number) => boolean; left: number };

/** @param indexOf subscription index of an endpoint, -1 when unknown */
export function makeBehaviours(indexOf: (endpoint: string) => number): Behaviours {
  const rules: Entry[] = [];
  const drop = (entry: Entry): void => {
    if (rules.includes(entry)) rules.splice(rules.indexOf(entry), 1);
  };
  const use = (wanted: (entry: Entry) => boolean): Rule | undefined => {
    const entry = rules.find(wanted);
    if (entry && --entry.left <= 0) drop(entry);
    return entry?.rule;
  };
  return {
    add(input) {
      const entry = {
        rule: toRule(input),
        matches: toMatcher(input.match ?? {}, indexOf),
        left: input.times ?? Infinity,
      };
      rules.unshift(entry);
      return () => drop(entry);
    },
    pick: (subscriptionIndex) => use((entry) => entry.rule.moment !== "session" && entry.matches(subscriptionIndex)),
    sendsAway: () => use((entry) => entry.rule.moment === "session") !== undefined,
    clear: () => void rules.splice(0),
  };
}

function toRule(input: AnswerWith): Rule {
  const name = input.behaviour ?? "answer";
  if (!Object.hasOwn(BEHAVIOURS, name)) throw new RangeError(`no behaviour is called ${name}`);
  const asked = BEHAVIOURS[name];
  const { lastStreamId = "taken", times = 1 } = input;
  if (!(times >= 1)) throw new RangeError("times is below 1");
  // node:http2 cannot send 0 once a stream has begun (goawayAtOnce can), and even streams are the server's own.
  if (typeof lastStreamId === "number" && lastStreamId % 2 !== 1) throw new RangeError("lastStreamId is not odd");
  if (input.status !== undefined && asked.status === 0) throw new RangeError(`${name} has no status`);
  const base = input.status === undefined ? asked : { ...answer(input.status), act: asked.act };
  return {
    ...base,
    name,
    headers: { ...asked.headers, ...input.headers },
    body: input.body ?? base.body,
    delayMs: input.delayMs ?? asked.delayMs,
    lastStreamId,
  };
}

function toMatcher(match: Match, indexOf: (endpoint: string) => number): (index: number) => boolean {
  const { endpoint, from = 0, to = Infinity, fraction = 1, per = "subscription", seed = 1 } = match;
  const only = endpoint === undefined ? undefined : indexOf(endpoint);
  if (only === -1) throw new RangeError(`no subscription has the endpoint ${endpoint}`);
  let drawn = 0;
  return (index) => {
    if (index < from || index >= to || (only !== undefined && only !== index)) return false;
    return fraction >= 1 || unitOf(seed, per === "message" ? drawn++ : index) < fraction;
  };
}

/** A number from 0 to 1 that is always the same for the same pair (the finisher of MurmurHash3). */
function unitOf(seed: number, n: number): number {
  let hash = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
