import type { Database } from "../../db/pool.ts";
import type { PushTransport } from "../../egress/push/transport.ts";
import type { Logger } from "../../log.ts";
import type { Encryptor } from "../crypto/encrypt.ts";
import type { VapidSigner } from "../crypto/vapid.ts";
import type { InFlightBudget, Reservation } from "../pace/in-flight-budget.ts";
import type { SiteLane, SiteLanes } from "../pace/site-lanes.ts";
import type { BatchWork } from "./batch-state.ts";
import type { Condition } from "./condition.ts";
import type { MessageWriter } from "./messages.ts";
import type { RunWatch } from "./run-watch.ts";

/** What a delivery thread has, to deliver batches with: several at a time. */
export type DeliveryContext = {
  db: Database;
  log: Logger;
  /** Names this thread in the ledger. */
  owner: string;
  encryptor: Encryptor;
  transport: PushTransport;
  watch: RunWatch;
  siteLanes: SiteLanes;
  budget: InFlightBudget;
  /** Noted after each answer, and whenever there may be room again. */
  progress: Condition;
  tokenKey: Buffer;
  signerOf(siteId: string, publicKey: Buffer): Promise<VapidSigner>;
  /** How many intents one flush writes, at most. */
  subBatch: number;
  isDraining(): boolean;
  now(): number;
};

/** One claimed batch in the hands of a context. */
export type Delivery = {
  context: DeliveryContext;
  work: BatchWork;
  /** InFlightBudget that are in the ledger, or about to be, and whose outcomes are not. */
  reservation: Reservation;
  lane: SiteLane;
  write: MessageWriter;
  signer: VapidSigner;
  /** The Topic header of its messages (RFC 8030, 5.4). */
  topic: string;
};
