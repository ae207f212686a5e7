import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "../certificate.ts";
import { type AnswerWith, makeBehaviours } from "./behaviours.ts";
import { type KeepBodies, makeBodies } from "./bodies.ts";
import { listen } from "./listener.ts";
import { makeReceipts, type Receipt, type Stats } from "./receipts.ts";
import { greet, receive, type World } from "./receive.ts";
import { type Handed, makeReceivers, type Receiver } from "./receivers.ts";
import { makeSubscriptions, type Subscription, type SubscriptionOptions } from "./subscriptions.ts";
import { makeVapidCheck } from "./vapid.ts";
import { makeWaiters } from "./waiters.ts";
import { writeSubscriptions } from "./write-subscriptions.ts";

export type PushServiceOptions = {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Name in the origin; the certificate holds both. */
  host?: "127.0.0.1" | "localhost";
  /** Where the certificate is written; unless given, a temporary folder that is removed at close. */
  caFile?: string;
  /** SETTINGS_MAX_CONCURRENT_STREAMS, 100 unless given. */
  maxConcurrentStreams?: number;
  /** Time before every answer, for the round trip of a real network; 0 unless given. */
  answerDelayMs?: number;
  /** Receipts kept at most, 1,000,000 unless given (26 bytes each); the counters go on. */
  receiptLimit?: number;
  /** The first 100 bodies in all, unless given. */
  keepBodies?: KeepBodies;
  /** Milliseconds since 1970, for the `exp` of VAPID tokens; the system's clock unless given. */
  now?: () => number;
};

export type PushService = {
  /** Scheme, host and port, without a slash at the end. */
  origin: string;
  /** PEM, to be given as `ca`. */
  caCertificate: string;
  /** The same in a file, to be given as NODE_EXTRA_CA_CERTS. */
  caFile: string;
  createSubscriptions(count: number, options?: SubscriptionOptions): Subscription[];
  /** The same as NDJSON lines in a file, however many. */
  writeSubscriptions(count: number, file: string, options?: SubscriptionOptions): Promise<void>;
  /** Registers a real browser's subscription; what is accepted for it is handed to `receive`, still encrypted. */
  join(applicationServerKey: string, receive: (message: Handed) => void): Receiver;
  /** Answers the function that takes the rule back; the newest rule that matches wins. */
  answerWith(input: AnswerWith): () => void;
  clearBehaviours(): void;
  /** Changes SETTINGS on connections that are open; those opened later get what the options said. */
  changeMaxConcurrentStreams(maxConcurrentStreams: number): void;
  stats(): Stats & { connections: number };
  receipts(): Generator<Receipt & { endpoint: string | undefined }>;
  /** JSON payloads accepted for one endpoint and kept, oldest first. */
  decrypt(endpoint: string): unknown[];
  /** The first `count` payloads kept. */
  sample(count: number): { endpoint: string; payload: unknown }[];
  /** Resolves once the counters are so; rejects when the service closes before. */
  until(condition: (stats: Stats) => boolean): Promise<void>;
  /** Resolves once `count` messages have been judged since the start or reset. */
  received(count: number): Promise<void>;
  /** Forgets receipts, bodies and behaviours, not the subscriptions. */
  reset(): void;
  close(): Promise<void>;
};

/**
 * Starts a push service that checks what real ones check (RFC 8030, 8188, 8291, 8292) and answers 201,
 * unless told otherwise. Refusals say why: `{"reason": …}`.
 */
export async function startPushService(options: PushServiceOptions = {}): Promise<PushService> {
  const { cert, key, caFile, forget } = await issueCertificate(options);
  const { port = 0, maxConcurrentStreams = 100 } = options;
  const listener = await listen({ port, cert, key, maxConcurrentStreams });
  const origin = `https://${options.host ?? "127.0.0.1"}:${listener.port}`;

  const subscriptions = makeSubscriptions(origin);
  const indexOf = (endpoint: string): number =>
    endpoint.startsWith(origin) ? subscriptions.indexOfPath(endpoint.slice(origin.length)) : -1;
  const behaviours = makeBehaviours(indexOf);
  const receivers = makeReceivers(subscriptions);
  const checkVapid = makeVapidCheck(origin, options.now ?? Date.now);
  const newLog = () => ({
    receipts: makeReceipts(options.receiptLimit ?? 1_000_000),
    bodies: makeBodies(subscriptions, options.keepBodies),
  });
  const waiters = makeWaiters(() => world.log.receipts.stats);
  const world: World = {
    origin,
    subscriptions,
    receivers,
    behaviours,
    checkVapid,
    answerDelayMs: options.answerDelayMs ?? 0,
    sessions: new WeakMap(),
    log: newLog(),
    noted: waiters.look,
  };
  listener.serve({
    handle: (exchange) => receive(world, exchange),
    opened: (session) => greet(world, session),
  });

  return {
    origin,
    caCertificate: cert,
    caFile,
    createSubscriptions: (count, how) => [...subscriptions.make(count, how)],
    writeSubscriptions: (count, file, how) => writeSubscriptions(subscriptions.make(count, how), file),
    join: receivers.join,
    answerWith: behaviours.add,
    clearBehaviours: behaviours.clear,
    changeMaxConcurrentStreams(limit) {
      for (const session of listener.sessions) session.settings({ maxConcurrentStreams: limit });
    },
    stats: () => ({ ...structuredClone(world.log.receipts.stats), connections: listener.connections() }),
    *receipts() {
      for (const receipt of world.log.receipts.all()) {
        const { subscriptionIndex: index } = receipt;
        yield { ...receipt, endpoint: index < 0 ? undefined : subscriptions.endpointOf(index) };
      }
    },
    decrypt: (endpoint) => world.log.bodies.decryptOf(indexOf(endpoint)),
    sample: (count) => world.log.bodies.sample(count),
    until: waiters.until,
    received: (count) => waiters.until((stats) => stats.received >= count),
    reset() {
      behaviours.clear();
      world.log = newLog();
    },
    async close() {
      await listener.close();
      waiters.close();
      await forget();
    },
  };
}

/** A certificate and the file it was written to: `caFile`, or one in a temporary folder that `forget` removes. */
async function issueCertificate({ caFile }: PushServiceOptions) {
  const { cert, key } = await makeCertificate("push service simulator");
  const folder = caFile === undefined ? await mkdtemp(join(tmpdir(), "push-service-")) : undefined;
  const file = caFile ?? join(folder!, "ca.pem");
  await writeFile(file, cert);
  return {
    cert,
    key,
    caFile: file,
    forget: async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
