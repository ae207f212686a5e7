import { constants, getPriority, setPriority } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parentPort, threadId, workerData } from "node:worker_threads";
import type { Config } from "../../config.ts";
import { type Connection, openDatabase } from "../../db/pool.ts";
import { createPushTransport } from "../../egress/push/transport.ts";
import { openTraceExport, type TraceTarget } from "../../egress/trace-export.ts";
import { createLogger } from "../../log.ts";
import { createSecretBox } from "../../secret-box.ts";
import { pushServiceOfOrigin } from "../../subscribers/push-service.ts";
import { type CountersMemory, openCounters } from "../counters.ts";
import { type Encryption, openEncryptor } from "../crypto/encryption.ts";
import { createSignerCache } from "../crypto/signer-cache.ts";
import { createInFlightBudget, subBatchOf } from "../pace/in-flight-budget.ts";
import { createSitePushServices } from "../pace/site-push-services.ts";
import { createClaimLoop } from "./claim-loop.ts";
import { createConditionVariable } from "./condition-variable.ts";
import type { DeliveryContext } from "./context.ts";
import { createRunWatch } from "./run-watch.ts";

/**
 * The data that a delivery thread gets from its process. The thread claims and delivers several batches at a time.
 * The process sends it the message "wake" if there may be work. The message "drain" tells it to claim nothing more,
 * and to end when every batch is released.
 */
export type ThreadData = {
  connection: Connection;
  secretKey: string;
  config: Pick<Config, "LOG_LEVEL" | "LOG_FORMAT" | "PUSH_SERVICES" | "VAPID_SUBJECT">;
  /** How many delivery threads the process has. */
  threads: number;
  /** How many messages the thread may have in flight, and how many connections to the database. */
  inFlight: number;
  connections: number;
  counters: CountersMemory;
  encryption: Encryption;
  /** Undefined if traces are off. */
  traces: TraceTarget | undefined;
  logTo: "stdout" | "stderr";
};

/** The concurrent streams that push services allow on a connection. FCM allows 100. */
const streamsPerSession = 100;

const loopDelayResolutionMs = 20;

/**
 * How much nicer this thread is than the thread that answers requests. On a busy machine a request then takes half as
 * long (bench/README.md), and a message as long as before.
 */
const nicer = 5;

// Only Linux has a niceness for each thread. Elsewhere this call would change the whole process.
if (process.platform === "linux") setPriority(Math.min(getPriority() + nicer, constants.priority.PRIORITY_LOW));

const data = workerData as ThreadData;
const log = createLogger(data.config.LOG_LEVEL, data.logTo, data.config.LOG_FORMAT);
const traces = data.traces && (await openTraceExport(data.traces, log));
const db = openDatabase({
  connection: data.connection,
  poolMax: data.connections,
  applicationName: "pressbell delivery",
  log,
  prepared: "or warn",
});
const secrets = createSecretBox(data.secretKey);
const transport = createPushTransport({
  allowsOrigin: (origin) => pushServiceOfOrigin(origin, data.config.PUSH_SERVICES) !== undefined,
  leanHttp2: true,
  sessionsPerOrigin: Math.max(4, Math.ceil(data.inFlight / streamsPerSession)),
});
const watch = createRunWatch(db, log);
const counters = openCounters(data.counters, data.config.PUSH_SERVICES);
const progress = createConditionVariable();
let isDraining = false;

const context: DeliveryContext = {
  db,
  log,
  owner: `${process.pid}.${threadId}`,
  encryptor: openEncryptor(data.encryption, log),
  transport,
  watch,
  sitePushServices: createSitePushServices(() => performance.now(), Math.random),
  budget: createInFlightBudget(data.inFlight, data.threads),
  progress,
  counters,
  tokenKey: secrets.tokenKey,
  signerOf: createSignerCache(db, secrets, data.config.VAPID_SUBJECT),
  subBatch: subBatchOf(data.inFlight),
  isDraining: () => isDraining,
  now: Date.now,
};
const claimLoop = createClaimLoop(context);

parentPort!.on("message", (message: "wake" | "drain") => {
  if (message === "drain") isDraining = true;
  claimLoop.wake();
});

const loopDelay = monitorEventLoopDelay({ resolution: loopDelayResolutionMs });
loopDelay.enable();
const loopDelayTimer = setInterval(() => {
  // The histogram measures the whole time between two ticks of its timer, so the interval is subtracted.
  counters.loopDelayed(Math.max(0, loopDelay.max / 1e9 - loopDelayResolutionMs / 1e3));
  loopDelay.reset();
}, 1_000);

await claimLoop.run();
clearInterval(loopDelayTimer);
watch.stop();
await transport.close();
await db.destroy();
await traces?.close();
parentPort!.close();
