import { type FinalCode, finalCode } from "../../runs/ledger/codes.ts";

/** Why a push service refuses everything from a site: the value of `site_push_services.blocked_reason`. */
export type Refusal = "unauthorized" | "forbidden";

const refusalOfCode: Partial<Record<FinalCode, Refusal>> = {
  [finalCode.unauthorized]: "unauthorized",
  [finalCode.forbidden]: "forbidden",
};
/** Codes that a push service gives only after it has accepted the signature. */
const acceptingCodes: FinalCode[] = [finalCode.accepted, finalCode.dropped];

/** How long an accepted message proves the key. claimBatch reads the record of accepted keys with the same limit. */
const trustMs = 24 * 60 * 60 * 1_000;
/** The key is in doubt after this many refusals, in a row, of messages to readers who had accepted a message before. */
const acceptedBeforeOfDoubt = 3;
/**
 * Probes begin after this many refusals in a row, unless the key is trusted. A probe is a single message to another
 * batch.
 */
const refusalsOfDoubt = 20;
/**
 * The key counts as refused after this many refused probes. `acceptedBeforeOfDoubt` refused probes are enough if
 * their readers had accepted a message before.
 */
const probesOfBlock = 20;
/** How often the ledger records that a push service accepts the key. */
const evidenceEveryMs = 60_000;

/**
 * A refused or accepted message. `begunMs`: when it went out, monotonic ms. `hasAccepted`: its reader had accepted a
 * message before.
 */
export type Witness = { begunMs: number; hasAccepted: boolean };

/**
 * Decides whether refusals (401, 403) of one push service concern a site's VAPID key or single subscriptions, which may
 * belong to another key (docs/decisions/0013). "In a row" means without another final answer between them.
 */
export type KeyTrust = {
  /** Records the final code of a message. Returns the refusal if it shows that the service refuses the key. */
  check(code: FinalCode, witness: Witness): Refusal | undefined;
  /** Returns whether the service is known to accept the key. If so, a refusal concerns the subscription. */
  isTrusted(): boolean;
  /** Records that a message was accepted within the last day, by another thread or by this one. */
  trust(): void;
  /**
   * Starts probes on the first claim after the push service was blocked for the key. The first refused probe blocks
   * it again.
   */
  putOnProbation(): void;
  /** Returns whether to send one message at a time, each in another batch, until one is not refused. */
  isOnProbation(): boolean;
  /** Returns whether to record in the ledger that the key is accepted; true no more than once a minute. */
  takeEvidence(): boolean;
};

/** The probes since doubts about the key began. */
type Probes = { sinceMs: number; refused: number; refusedAccepted: number };

/** Counts a refused message as a probe, unless it was on the wire when probes began. Returns whether it counted. */
function countProbe(probes: Probes, { begunMs, hasAccepted }: Witness): boolean {
  if (begunMs < probes.sinceMs) return false;
  probes.refused++;
  if (hasAccepted) probes.refusedAccepted++;
  return true;
}

/** Returns the trust of a new key. `now`: monotonic ms. */
export function createKeyTrust(now: () => number): KeyTrust {
  let trustedUntilMs = 0;
  let refusals = 0;
  let refusalsOfAccepted = 0;
  let probes: Probes | undefined;
  let wasBlocked = false;
  let hasEvidence = false;
  let nextEvidenceMs = 0;

  const isTrusted = () => now() < trustedUntilMs && refusalsOfAccepted < acceptedBeforeOfDoubt;

  function endDoubt(): void {
    refusals = 0;
    refusalsOfAccepted = 0;
    probes = undefined;
    wasBlocked = false;
  }

  function hold(): void {
    wasBlocked = true;
    trustedUntilMs = 0;
    hasEvidence = false;
  }

  return {
    check(code, witness) {
      const refusal = refusalOfCode[code];
      if (refusal === undefined) {
        endDoubt();
        if (!acceptingCodes.includes(code)) return undefined;
        trustedUntilMs = now() + trustMs;
        hasEvidence = true;
        return undefined;
      }
      refusals++;
      if (witness.hasAccepted) refusalsOfAccepted++;
      if (probes === undefined) {
        if (refusals >= refusalsOfDoubt && !isTrusted()) probes = { sinceMs: now(), refused: 0, refusedAccepted: 0 };
        return undefined;
      }
      if (!countProbe(probes, witness)) return undefined;
      if (!wasBlocked && probes.refused < probesOfBlock && probes.refusedAccepted < acceptedBeforeOfDoubt)
        return undefined;
      hold();
      return refusal;
    },
    isTrusted,
    trust() {
      // A block deletes the record that the key was accepted, so a record that exists now was written later.
      if (wasBlocked || (probes !== undefined && refusalsOfAccepted < acceptedBeforeOfDoubt)) endDoubt();
      trustedUntilMs = Math.max(trustedUntilMs, now() + trustMs);
    },
    putOnProbation() {
      probes = { sinceMs: now(), refused: 0, refusedAccepted: 0 };
      hold();
    },
    isOnProbation: () => probes !== undefined,
    takeEvidence() {
      if (!hasEvidence || now() < nextEvidenceMs) return false;
      hasEvidence = false;
      nextEvidenceMs = now() + evidenceEveryMs;
      return true;
    },
  };
}
