import { z } from "zod";
import type { Config } from "../config.ts";
import { invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { wholeNumber } from "../input.ts";

/** A publisher, who owns sites, keys and campaigns. */
export type Tenant = {
  id: string;
  name: string;
  plan: string;
  pausedAt: Date | null;
  dpaAcceptedAt: Date | null;
  /** The version of the accepted agreement. Null if it was accepted before agreements had versions. */
  dpaVersion: string | null;
  /** The actor who accepted the agreement, named as in src/actor.ts. */
  dpaAcceptedBy: string | null;
  /** A send from the dashboard to more people than this needs the approval of a second person. Null if no send does. */
  confirmAbove: number | null;
  /** Whether members may act only in sessions that began with a second factor, a passkey or the provider. */
  requiresSecondFactor: boolean;
  /** The most sites of the tenant. `topicLimit` is the most topics of each site. */
  siteLimit: number;
  topicLimit: number;
};

/** The changeable fields of a tenant. An absent field stays as it is. Null removes a limit. */
export type TenantChange = {
  name?: string;
  plan?: string;
  paused?: boolean;
  dpaAccepted?: boolean;
  confirmAbove?: number | null;
  requiresSecondFactor?: boolean;
  siteLimit?: number;
  topicLimit?: number;
};

export const newTenant = z.object({
  name: z
    .string()
    .trim()
    .min(1, zodText(faults.empty()))
    .max(200, zodText(faults.too_long({ most: 200 }))),
});

export const confirmAbove = wholeNumber(0, 1_000_000).nullable();
/** The schema of a site limit or a topic limit. */
export const recordLimit = wholeNumber(1, 10_000);

/**
 * The version of the data processing agreement (dashboard/src/parts/agreement.tsx): the day of its last change.
 * Change it together with the text, so that an acceptance names the text that was accepted.
 */
export const agreementVersion = "2026-11-21";

/**
 * Returns `wanted` if it is a plan of PLANS, or the first plan if it is absent. Throws `validation_failed` for an
 * unknown plan.
 */
export function checkPlan(plans: Config["PLANS"], wanted: string | undefined): string {
  const names = Object.keys(plans);
  const plan = wanted ?? names[0]!;
  if (!names.includes(plan)) {
    throw invalidFields([fault("/plan", faults.unknown_plan({ plans: names.join(", ") }))]);
  }
  return plan;
}
