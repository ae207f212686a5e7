import { parentPort, threadId, workerData } from "node:worker_threads";
import type { Config } from "../config.ts";
import { type Connection, openDatabase } from "../db/database.ts";
import { createPushTransport } from "../egress/push-transport.ts";
import { createLogger } from "../log.ts";
import { createSecretBox } from "../secret-box.ts";
import { laneOfOrigin } from "../subscribers/push-service.ts";
import { createChanges } from "./changes.ts";
import type { Courier } from "./courier.ts";
import { createDesk } from "./desk.ts";
import { type Encryption, openEncryptor } from "./encryption.ts";
import { createIntents } from "./intents.ts";
import { createPacing } from "./pacing.ts";
import { createRunWatch } from "./run-watch.ts";
import { createSignerCache } from "./signer-cache.ts";

/**
 * A delivery thread: claims batches and delivers them, several at a time. Messages from its parent: "wake" (there may be
 * work), "drain" (claim no more; it ends when all it holds is given back).
 */
export type ThreadData = {
  connection: Connection;
  secretKey: string;
  config: Pick<Config, "IN_FLIGHT_MAX" | "LOG_LEVEL" | "PUSH_SERVICES" | "VAPID_SUBJECT" | "WORKERS">;
  encryption: Encryption;
  logTo: "stdout" | "stderr";
};

/** What push services allow on a connection: FCM 100. */
const streamsPerSession = 100;

const data = workerData as ThreadData;
const log = createLogger(data.config.LOG_LEVEL, data.logTo);
const db = openDatabase({
  connection: data.connection,
  poolMax: 6,
  applicationName: "pressbell delivery",
  log,
  prepared: true,
});
const secrets = createSecretBox(data.secretKey);
const intentsOfThread = Math.max(1, Math.floor(data.config.IN_FLIGHT_MAX / data.config.WORKERS));
const transport = createPushTransport({
  allowsOrigin: (origin) => laneOfOrigin(origin, data.config.PUSH_SERVICES) !== undefined,
  leanHttp2: true,
  sessionsPerOrigin: Math.max(4, Math.ceil(intentsOfThread / streamsPerSession)),
});
const watch = createRunWatch(db, log);
const changes = createChanges();
let isDraining = false;

const courier: Courier = {
  db,
  log,
  owner: `${process.pid}.${threadId}`,
  encryptor: openEncryptor(data.encryption, log),
  transport,
  watch,
  pacing: createPacing(() => performance.now(), Math.random),
  intents: createIntents(intentsOfThread),
  changes,
  tokenKey: secrets.tokenKey,
  signerOf: createSignerCache(db, secrets, data.config.VAPID_SUBJECT),
  subBatch: Math.max(1, Math.floor(intentsOfThread / 4)),
  isDraining: () => isDraining,
  now: Date.now,
};
const desk = createDesk(courier);

parentPort!.on("message", (message: "wake" | "drain") => {
  if (message === "drain") isDraining = true;
  desk.wake();
});

await desk.run();
watch.stop();
await transport.close();
await db.destroy();
parentPort!.close();
