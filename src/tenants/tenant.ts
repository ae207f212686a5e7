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
  /** Above so many people a send from the dashboard wants a second person. Null: never. */
  confirmAbove: number | null;
};

/** What may be changed of a tenant. Absent: it stays. Null: the number is taken away. */
export type TenantChange = {
  name?: string;
  plan?: string;
  paused?: boolean;
  dpaAccepted?: boolean;
  confirmAbove?: number | null;
};

export const newTenant = z.object({
  name: z.string().trim().min(1, "must not be empty").max(200, "must have at most 200 characters"),
});

const numberOfPeople = "must be a whole number from 0 to 1,000,000";
export const confirmAbove = z.int(numberOfPeople).min(0, numberOfPeople).max(1_000_000, numberOfPeople).nullable();
