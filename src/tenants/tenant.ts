import { z } from "zod";
import type { Config } from "../config.ts";
import { invalidFields } from "../errors.ts";
import { wholeNumber } from "../input.ts";

/** A publisher: owns sites, keys and campaigns. */
export type Tenant = {
  id: string;
  name: string;
  plan: string;
  pausedAt: Date | null;
  dpaAcceptedAt: Date | null;
  /** Version of the accepted agreement; null for an acceptance that is older than the versions. */
  dpaVersion: string | null;
  /** The actor that accepted it, as src/actor.ts names actors. */
  dpaAcceptedBy: string | null;
  /** A send from the dashboard to more people than this needs the approval of a second person. Null: never. */
  confirmAbove: number | null;
  /** Whether members may act only in sessions that began with a second factor, a passkey or the provider. */
  requiresSecondFactor: boolean;
  /** The most sites of the tenant, and the most topics of each. */
  siteLimit: number;
  topicLimit: number;
};

/** The changeable fields of a tenant. Absent: unchanged. Null: no limit. */
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
  name: z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters"),
});

export const confirmAbove = wholeNumber(0, 1_000_000).nullable();
/** A site limit or a topic limit. */
export const recordLimit = wholeNumber(1, 10_000);

/**
 * Version of the data processing agreement (dashboard/src/parts/agreement.tsx): the day of its last change. Change it
 * together with the text, so that an acceptance names the text that was accepted.
 */
export const agreementVersion = "2026-11-21";

/**
 * Returns `wanted` if it is a plan of PLANS, and the first plan if absent. Throws `validation_failed` for an unknown
 * plan.
 */
export function checkPlan(plans: Config["PLANS"], wanted: string | undefined): string {
  const names = Object.keys(plans);
  const plan = wanted ?? names[0]!;
  if (!names.includes(plan)) {
    throw invalidFields([{ path: "/plan", message: `must be a plan that PLANS names: ${names.join(", ")}` }]);
  }
  return plan;
}
