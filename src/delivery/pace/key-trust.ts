import { type FinalCode, finalCode } from "../../runs/ledger/codes.ts";

/** Why a push service refuses everything that comes from a site: the value of `site_push_services.blocked_reason`. */
export type Refusal = "unauthorized" | "forbidden";

const refusalOfCode: Partial<Record<FinalCode, Refusal>> = {
  [finalCode.unauthorized]: "unauthorized",
  [finalCode.forbidden]: "forbidden",
};
/** A push service answers so only after it has accepted our signature. */
const acceptingCodes: FinalCode[] = [finalCode.accepted, finalCode.dropped];

/** How long an accepted message speaks for the key. claimBatch reads the ledger's evidence with the same age. */
const trustMs = 24 * 60 * 60 * 1_000;
/** From this many readers in a row who had accepted a message before, refusals are about the key. */
const acceptedBeforeOfDoubt = 3;
/** From this many refusals in a row of a key that is not trusted, single messages to different batches are probes. */
const refusalsOfDoubt = 20;
/** This many refused probes, or `acceptedBeforeOfDoubt` of them to such readers, show that the key is refused. */
const probesOfBlock = 20;
/** How often the ledger is told that a push service accepts the key. */
const evidenceEveryMs = 60_000;

/** A refused or accepted message: when it went out, monotonic ms, and whether its reader had accepted one before. */
export type Witness = { begunMs: number; hasAccepted: boolean };

/**
 * Whether refusals (401, 403) of one push service are about a site's VAPID key or about single subscriptions, which may
 * belong to another key (docs/decisions/0013). "In a row" means without another final answer between them.
 */
export type KeyTrust = {
  /** Records the final code of a message. Returns the refusal where it shows that the service refuses our key. */
  check(code: FinalCode, witness: Witness): Refusal | undefined;
  /** Whether the service takes the key, as far as is known: then a refusal is about the subscription. */
  isTrusted(): boolean;
  /** Another thread, or this one earlier, has had a message accepted within the last day. */
  trust(): void;
  /**
   * The push service was blocked for our key, and this is the first claim since: the first refused probe holds it
   * again.
   */
  putOnProbation(): void;
  /** One message at a time, each in another batch, until one is not refused. */
  isOnProbation(): boolean;
  /** Whether to record in the ledger that the key is accepted; true at most once a minute. */
  takeEvidence(): boolean;
};

/** The probes since the key came into doubt. */
type Probes = { sinceMs: number; refused: number; refusedAccepted: number };

/** Counts a refused message among the probes, unless it was on the wire when they began. Returns whether it was one. */
function countProbe(probes: Probes, { begunMs, hasAccepted }: Witness): boolean {
  if (begunMs < probes.sinceMs) return false;
  probes.refused++;
  if (hasAccepted) probes.refusedAccepted++;
  return true;
}

/** `now`: monotonic ms. */
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
      // A hold deletes the ledger's evidence: what is there now came later.
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
