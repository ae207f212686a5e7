import { type AppError, appError } from "../errors.ts";

/** What has to hold before a live run starts. `audience` is counted at most to the cap plus one. */
export type GateFacts = {
  dpaAccepted: boolean;
  tenantPaused: boolean;
  sitePaused: boolean;
  plan: string;
  audience: number;
  /** Undefined: the plan has no cap. */
  audienceCap: number | undefined;
};

/**
 * The first gate that is shut, as the error to answer with, or undefined where all are open. The order is the
 * interface's: agreement, pauses (tenant, then site), billing.
 */
export function firstShutGate(facts: GateFacts): AppError | undefined {
  if (!facts.dpaAccepted) return appError("dpa_required");
  if (facts.tenantPaused) return appError("send_paused", { scope: "tenant" });
  if (facts.sitePaused) return appError("send_paused", { scope: "site" });
  if (facts.audienceCap !== undefined && facts.audience > facts.audienceCap) {
    const { plan, audience, audienceCap } = facts;
    return appError("billing", { plan, audience, audienceCap });
  }
  return undefined;
}
