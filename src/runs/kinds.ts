import { sql } from "kysely";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";

/**
 * `live`: sends a campaign, also one that corrects another. `test`: sends it to test devices. `update`: changes the
 * notification of a campaign on the screen. `digest`: of no campaign, to readers who have asked for it. `welcome`: of
 * no campaign, to new readers.
 */
export type RunKind = "live" | "test" | "update" | "digest" | "welcome";

/** A reason why recipients get a final code in place of the message (suppressions.ts). */
export type SuppressionName = "muted" | "quietHours" | "frequencyCap" | "classCap" | "notReplaced" | "closed";

/** How the runs of a kind are delivered. Everything that differs by kind stands here. */
export type DeliveryPolicy = {
  /** A pause of the site or its publisher holds them. */
  isHeldByPause: boolean;
  canBeStopped: boolean;
  /** Runs with a higher priority are planned and claimed first. */
  priority: 0 | 1;
  /** They count towards the number of notifications a day that a reader wants at most. */
  countsForFrequencyCap: boolean;
  /** What a reader's quiet hours and budget suppress comes in the reader's digest. */
  goesIntoDigests: boolean;
  /** Readers who have agreed to breaking news get it through quiet hours and limits. */
  comesThrough: boolean;
  /** Which recipients get a final code in place of the message, in the order in which a code is chosen. */
  suppressedBy: SuppressionName[];
};

const held = { isHeldByPause: true, canBeStopped: true, priority: 0 } as const;
const forNothing = { countsForFrequencyCap: false, goesIntoDigests: false } as const;

/** A correction is a live run in the thread of an earlier one. */
const policies: Record<RunKind | "correction", Omit<DeliveryPolicy, "comesThrough">> = {
  live: {
    ...held,
    countsForFrequencyCap: true,
    goesIntoDigests: true,
    suppressedBy: ["muted", "quietHours", "frequencyCap", "classCap"],
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
  test: { isHeldByPause: false, canBeStopped: false, priority: 1, ...forNothing, suppressedBy: [] },
};

/** What decides on the policy of a run. */
type PolicyFacts = { kind: RunKind; runId: string; threadId: string; class: CampaignClass };

export function policyOf({ kind, runId, threadId, class: ofClass }: PolicyFacts): DeliveryPolicy {
  const policy = policies[kind === "live" && threadId !== runId ? "correction" : kind];
  return { ...policy, comesThrough: ofClass === "breaking" };
}

/** The kinds with a certain policy. */
export function kindsThat(has: (policy: Omit<DeliveryPolicy, "comesThrough">) => boolean): RunKind[] {
  return (Object.keys(policies) as (RunKind | "correction")[]).filter(
    (kind): kind is RunKind => kind !== "correction" && has(policies[kind]),
  );
}

/** Whether a pause halts runs of this kind. */
export const isHeldByPause = (kind: RunKind) => policies[kind].isHeldByPause;

/** Whether a person may stop runs of this kind. */
export const canBeStopped = (kind: RunKind) => policies[kind].canBeStopped;

type Runs = "r" | "runs" | "run" | "open" | "earlier" | "later" | "m";

/** An SQL condition on the kind, for a table name or alias of runs. */
const ofKinds = (kinds: RunKind[]) => {
  const literals = kinds.map((kind) => `'${kind}'`).join(", ");
  return (table: Runs) => sql.raw(`${table}.kind in (${literals})`);
};

/** SQL condition: a pause halts the run. */
export const pauseHolds = ofKinds(kindsThat((policy) => policy.isHeldByPause));
/** SQL condition: the run sends a campaign, also one that corrects another. A campaign has at most one. */
export const sendsCampaign = ofKinds(["live"]);
/** SQL condition: the run changes the notification of a campaign on the screen. */
export const isUpdate = ofKinds(["update"]);
/** SQL condition: the run shows the notification of a campaign, or changes it. */
export const showsCampaign = ofKinds(["live", "update"]);
/** SQL condition: the run brings a notification to readers, and does not change one. */
export const bringsNotification = ofKinds(["live", "digest", "welcome"]);
/** SQL condition: the run sends a step of the welcome. */
export const isWelcome = ofKinds(["welcome"]);
/** SQL condition: the run goes to readers, not to test devices. */
export const goesToReaders = (table: Runs) => sql.raw(`${table}.kind <> 'test'`);
