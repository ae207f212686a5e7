import type { Config } from "../config.ts";
import { invalidFields } from "../errors.ts";

/** The name of a plan that exists: `wanted`, or the first of PLANS. Throws `validation_failed` for an unknown one. */
export function judgePlan(plans: Config["PLANS"], wanted: string | undefined): string {
  const names = Object.keys(plans);
  const plan = wanted ?? names[0]!;
  if (!names.includes(plan)) {
    throw invalidFields([{ path: "/plan", message: `must be a plan that PLANS names: ${names.join(", ")}` }]);
  }
  return plan;
}
