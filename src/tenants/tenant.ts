import { z } from "zod";

/** A publisher: owns sites, keys and campaigns. */
export type Tenant = {
  id: string;
  name: string;
  plan: string;
  pausedAt: Date | null;
  dpaAcceptedAt: Date | null;
  /** Which text of the agreement was accepted; null where that was before texts had versions. */
  dpaVersion: string | null;
  /** Who accepted it, as src/actor.ts names actors. */
  dpaAcceptedBy: string | null;
};

/** What may be changed of a tenant. Absent: it stays. */
export type TenantChange = { name?: string; plan?: string; paused?: boolean; dpaAccepted?: boolean };

export const newTenant = z.object({
  name: z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters"),
});
