import { sql } from "kysely";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";

/**
 * The kind of a run.
 * - `live`: sends a campaign or a correction.
 * - `test`: sends a campaign to test devices, or a fire drill to its canary, without a campaign.
 * - `update`: changes the notification of a campaign on the screen.
 * - `digest`: goes to readers who have asked for a digest; it has no campaign.
 * - `welcome`: goes to new readers; it has no campaign.
 * - `win_back`: goes to readers who were not seen for long; it has no campaign.
 */
export type RunKind = "live" | "test" | "update" | "digest" | "welcome" | "win_back";

/** A reason why a recipient gets a final code instead of the message (suppressions.ts). */
export type SuppressionName =
  | "heldOut"
  | "muted"
  | "quietHours"
  | "frequencyCap"
  | "classCap"
  | "notReplaced"
  | "closed";

/** How the runs of a kind are delivered. All differences between kinds are here. */
export type DeliveryPolicy = {
  /** A pause of the site or its publisher halts the run. */
  isHeldByPause: boolean;
  canBeStopped: boolean;
  /** Runs with a higher priority are planned and claimed first. */
  priority: 0 | 1;
  /** The run counts towards the reader's limit of notifications a day. */
  countsForFrequencyCap: boolean;
  /** A message that the reader's quiet hours or limits suppress comes in the reader's digest. */
  goesIntoDigests: boolean;
  /** Readers who have agreed to breaking news get the message despite quiet hours and limits. */
  comesThrough: boolean;
  /** The reasons that suppress recipients, in the order in which a code is chosen. */
  suppressedBy: SuppressionName[];
};

const held = { isHeldByPause: true, canBeStopped: true, priority: 0 } as const;
const forNothing = { countsForFrequencyCap: false, goesIntoDigests: false } as const;

/** A correction is a live run in the thread of an earlier run. */
const policies: Record<RunKind | "correction", Omit<DeliveryPolicy, "comesThrough">> = {
  live: {
    ...held,
    countsForFrequencyCap: true,
    goesIntoDigests: true,
    suppressedBy: ["heldOut", "muted", "quietHours", "frequencyCap", "classCap"],
  },
  correction: { ...held, ...forNothing, suppressedBy: ["muted"] },
  update: { ...held, ...forNothing, suppressedBy: ["notReplaced", "closed", "muted"] },
  digest: { ...held, ...forNothing, suppressedBy: [] },
  welcome: {
    ...held,
    countsForFrequencyCap: true,
    goesIntoDigests: false,
    suppressedBy: ["muted", "quietHours", "frequencyCap"],
  },
  win_back: {
    ...held,
    countsForFrequencyCap: true,
    goesIntoDigests: false,
    suppressedBy: ["muted", "quietHours", "frequencyCap", "classCap"],
  },
  test: { isHeldByPause: false, canBeStopped: false, priority: 1, ...forNothing, suppressedBy: [] },
};

/** The facts that decide the policy of a run. */
type PolicyFacts = { kind: RunKind; runId: string; threadId: string; class: CampaignClass };

export function policyOf({ kind, runId, threadId, class: ofClass }: PolicyFacts): DeliveryPolicy {
  const policy = policies[kind === "live" && threadId !== runId ? "correction" : kind];
  return { ...policy, comesThrough: ofClass === "breaking" };
}

/** Returns the kinds whose policy fulfils the condition. */
export function kindsThat(has: (policy: Omit<DeliveryPolicy, "comesThrough">) => boolean): RunKind[] {
  return (Object.keys(policies) as (RunKind | "correction")[]).filter(
    (kind): kind is RunKind => kind !== "correction" && has(policies[kind]),
  );
}

/** Returns whether a pause halts runs of this kind. */
export const isHeldByPause = (kind: RunKind) => policies[kind].isHeldByPause;

/** Returns whether a person may stop runs of this kind. */
export const canBeStopped = (kind: RunKind) => policies[kind].canBeStopped;

type Runs = "r" | "runs" | "run" | "open" | "earlier" | "later" | "m";

/** Returns an SQL condition on the kind, for a table name or alias of runs. */
const ofKinds = (kinds: RunKind[]) => {
  const literals = kinds.map((kind) => `'${kind}'`).join(", ");
  return (table: Runs) => sql.raw(`${table}.kind in (${literals})`);
};

/** SQL condition: a pause halts the run. */
export const pauseHolds = ofKinds(kindsThat((policy) => policy.isHeldByPause));
/** SQL condition: the run sends a campaign or a correction. A campaign has no more than one such run. */
export const sendsCampaign = ofKinds(["live"]);
/** SQL condition: the run changes the notification of a campaign on the screen. */
export const isUpdate = ofKinds(["update"]);
/** SQL condition: the run shows the notification of a campaign, or changes it. */
export const showsCampaign = ofKinds(["live", "update"]);
/** SQL condition: the run brings a new notification to readers. */
export const bringsNotification = ofKinds(["live", "digest", "welcome", "win_back"]);
/** SQL condition: the run sends a step of the welcome. */
export const isWelcome = ofKinds(["welcome"]);
/** SQL condition: the run sends a win-back. */
export const isWinBack = ofKinds(["win_back"]);
/** SQL condition: the run goes to readers, not to test devices. */
export const goesToReaders = (table: Runs) => sql.raw(`${table}.kind <> 'test'`);
