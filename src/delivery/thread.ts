import { parentPort, threadId, workerData } from "node:worker_threads";
import type { Config } from "../config.ts";
import { type Connection, type Database, openDatabase } from "../db/database.ts";
import { createPushTransport } from "../egress/push-transport.ts";
import { createLogger, type Logger } from "../log.ts";
import { claimBatch } from "../runs/batches.ts";
import { createSecretBox } from "../secret-box.ts";
import { laneOfOrigin } from "../subscribers/push-service.ts";
import { type Courier, deliverBatch } from "./deliver-batch.ts";
import { createEncryptor } from "./encrypt.ts";
import { createRunWatch } from "./run-watch.ts";
import { createSignerCache } from "./signer-cache.ts";

/**
 * One delivery thread: claims batches and delivers them, two at a time, so that one is claimed and read while the other
 * is in flight. Messages from its parent: "wake" (there may be work), "drain" (claim no more; it ends when all it holds
 * is given back).
 */
export type ThreadData = {
  connection: Connection;
  secretKey: string;
  config: Pick<Config, "LOG_LEVEL" | "PUSH_SERVICES" | "VAPID_SUBJECT" | "WORKERS">;
  logTo: "stdout" | "stderr";
};

const loops = 2;
/** At most this many messages are uncertain when a whole process dies, shared by the loops of all its threads. */
const uncertainAtMost = 500;
const idleMs = 250;

const data = workerData as ThreadData;
const log = createLogger(data.config.LOG_LEVEL, data.logTo);
const db = openDatabase({
  connection: data.connection,
  poolMax: loops + 2,
  applicationName: "pressbell delivery",
  log,
});
const secrets = createSecretBox(data.secretKey);
const transport = createPushTransport({
  allowsOrigin: (origin) => laneOfOrigin(origin, data.config.PUSH_SERVICES) !== undefined,
});
const watch = createRunWatch(db, log);
const signerOf = createSignerCache(db, secrets, data.config.VAPID_SUBJECT);
let isDraining = false;
let wake = () => {};

function courierOf(loop: number): Courier {
  return {
    db,
    log,
    owner: `${process.pid}.${threadId}.${loop}`,
    encryptor: createEncryptor(),
    transport,
    watch,
    tokenKey: secrets.tokenKey,
    signerOf,
    subBatch: Math.max(1, Math.floor(uncertainAtMost / (2 * loops * data.config.WORKERS))),
    isDraining: () => isDraining,
    now: Date.now,
  };
}

async function deliverAll(courier: Courier): Promise<void> {
  while (!isDraining) {
    if (!(await deliverNext(courier, db, log))) await idle();
  }
}

/** Whether there was a batch. A fault is logged and rested on; the lease of what it held runs out by itself. */
async function deliverNext(courier: Courier, db: Database, log: Logger): Promise<boolean> {
  try {
    const claimedMs = performance.now();
    const batch = await claimBatch(db, courier.owner);
    if (batch === undefined) return false;
    await deliverBatch(courier, batch, claimedMs);
    return true;
  } catch (error) {
    log.error({ err: error }, "a batch could not be delivered and will be claimed again");
    return false;
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, idleMs);
    const before = wake;
    wake = () => {
      clearTimeout(timer);
      resolve();
      before();
    };
  });
}

parentPort!.on("message", (message: "wake" | "drain") => {
  if (message === "drain") isDraining = true;
  const all = wake;
  wake = () => {};
  all();
});

await Promise.all(Array.from({ length: loops }, (_, loop) => deliverAll(courierOf(loop))));
watch.stop();
await transport.close();
await db.destroy();
parentPort!.close();
