import type { Database } from "../db/database.ts";
import type { PushTransport } from "../egress/push-transport.ts";
import type { Logger } from "../log.ts";
import type { BatchWork } from "./batch-work.ts";
import type { Changes } from "./changes.ts";
import type { Encryptor } from "./encrypt.ts";
import type { HeldIntents, Intents } from "./intents.ts";
import type { MessageWriter } from "./messages.ts";
import type { Pacing, SiteLane } from "./pacing.ts";
import type { RunWatch } from "./run-watch.ts";
import type { VapidSigner } from "./vapid.ts";

/** What a delivery thread has, to deliver batches with: several at a time. */
export type Courier = {
  db: Database;
  log: Logger;
  /** Names this thread in the ledger. */
  owner: string;
  encryptor: Encryptor;
  transport: PushTransport;
  watch: RunWatch;
  pacing: Pacing;
  intents: Intents;
  /** Noted after each answer, and whenever there may be room again. */
  changes: Changes;
  tokenKey: Buffer;
  signerOf(siteId: string, publicKey: Buffer): Promise<VapidSigner>;
  /** How many intents one flush writes, at most. */
  subBatch: number;
  isDraining(): boolean;
  now(): number;
};

/** One claimed batch in the hands of a courier. */
export type Delivery = {
  courier: Courier;
  work: BatchWork;
  /** Intents that are in the ledger, or about to be, and whose outcomes are not. */
  intents: HeldIntents;
  lane: SiteLane;
  write: MessageWriter;
  signer: VapidSigner;
  /** The Topic header of its messages (RFC 8030, 5.4). */
  topic: string;
};
