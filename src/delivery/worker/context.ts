import type { KeyObject } from "node:crypto";
import type { Database } from "../../db/pool.ts";
import type { PushTransport } from "../../egress/push/transport.ts";
import type { Logger } from "../../log.ts";
import type { ThreadCounters } from "../counters.ts";
import type { Encryptor } from "../crypto/encrypt.ts";
import type { VapidSigner } from "../crypto/vapid.ts";
import type { InFlightBudget, Reservation } from "../pace/in-flight-budget.ts";
import type { SitePushService, SitePushServices } from "../pace/site-push-services.ts";
import type { BatchState } from "./batch-state.ts";
import type { ConditionVariable } from "./condition-variable.ts";
import type { MessageWriter } from "./messages.ts";
import type { RunWatch } from "./run-watch.ts";

/** The services and limits with which a delivery thread delivers batches, several at a time. */
export type DeliveryContext = {
  db: Database;
  log: Logger;
  /** The name of this thread in the ledger. */
  owner: string;
  encryptor: Encryptor;
  transport: PushTransport;
  watch: RunWatch;
  sitePushServices: SitePushServices;
  budget: InFlightBudget;
  /** Notified after each answer, and whenever there may be room again. */
  progress: ConditionVariable;
  counters: ThreadCounters;
  tokenKey: KeyObject;
  signerOf(siteId: string, publicKey: Buffer): Promise<VapidSigner>;
  /** The most intents that one flush writes. */
  subBatch: number;
  isDraining(): boolean;
  /** The wall clock, ms since 1970. */
  now(): number;
};

/** The delivery of one claimed batch. */
export type Delivery = {
  context: DeliveryContext;
  state: BatchState;
  reservation: Reservation;
  pushService: SitePushService;
  write: MessageWriter;
  signer: VapidSigner;
  /** The Topic header of the batch's messages (RFC 8030, section 5.4). */
  topic: string;
};
