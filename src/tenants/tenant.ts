import { z } from "zod";

/** A publisher: owns sites, keys and campaigns. */
export type Tenant = {
  id: string;
  name: string;
  plan: string;
  pausedAt: Date | null;
  dpaAcceptedAt: Date | null;
};

export const newTenant = z.object({
  name: z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters"),
});
