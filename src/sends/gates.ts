import { type AppError, appError, type ErrorCode } from "../errors.ts";
import type { Message } from "../messages.ts";
import { sendMessages } from "./messages.ts";

/** The facts of a site and its tenant that the gates check. `gate-queries.ts` reads them. */
export type SiteFacts = {
  siteRemoved: boolean;
  dpaAccepted: boolean;
  tenantPaused: boolean;
  sitePaused: boolean;
  plan: string;
};

/** All facts that the gates check. */
export type GateFacts = SiteFacts & {
  /** Whether the setting PLANS has the tenant's plan. An operator can remove a plan that is in use. */
  planExists: boolean;
  /** The audience, counted up to the cap plus one. Up to the cap all subscribers count, above it only proven ones. */
  audience: number;
  /** Undefined if the plan has no cap. */
  audienceCap: number | undefined;
  /** How many more sends of the campaign's class the site may begin now. Null if there is no limit, or no class. */
  classLeft: number | null;
};

type Gate = {
  /** The error code of its refusals; unique in the list. */
  code: ErrorCode;
  /** Returns a refusal for each cause that shuts the gate; none if it is open. */
  check(facts: GateFacts): AppError[];
  /** Whether a shut gate can open again. If it can, an item of a feed waits for it; otherwise the item is skipped. */
  canReopen: boolean;
} & (
  | {
      /** A campaign that is due while the gate is shut fails immediately. */
      whenDue: "fail";
    }
  | {
      /** A campaign that is due while the gate is shut waits for it to open, but no longer than GRACE_MINUTES. */
      whenDue: "delay";
      /** Returns the warning at scheduling, while the gate is shut. */
      warning(refusal: AppError, graceMinutes: number): Message;
      /** Returns why a campaign failed because the gate did not open in time. */
      failure(graceMinutes: number): Message;
    }
);

/**
 * The gates: the conditions of a send to readers, in the order in which they are checked. A send is refused with the
 * first refusal. The order is part of the API: a removed site, agreement, pauses (tenant, then site), billing, the
 * limit of the class.
 *
 * This list is the only one. Sends of every kind check it. The compiler names the places that need something for each
 * gate (`Record<GateCode, …>`).
 */
export const gates = [
  {
    code: "site_removed",
    check: ({ siteRemoved }) => (siteRemoved ? [appError("site_removed")] : []),
    canReopen: false,
    whenDue: "fail",
  },
  {
    code: "dpa_required",
    check: ({ dpaAccepted }) => (dpaAccepted ? [] : [appError("dpa_required")]),
    canReopen: true,
    whenDue: "fail",
  },
  {
    code: "send_paused",
    check: ({ tenantPaused, sitePaused }) => [
      ...(tenantPaused ? [paused("tenant")] : []),
      ...(sitePaused ? [paused("site")] : []),
    ],
    canReopen: true,
    whenDue: "delay",
    warning: ({ details }, graceMinutes) =>
      sendMessages[details.scope === "site" ? "pause_will_delay_site" : "pause_will_delay_tenant"]({ graceMinutes }),
    failure: (graceMinutes) => sendMessages.paused_too_long({ graceMinutes }),
  },
  {
    code: "billing",
    check: checkBilling,
    canReopen: true,
    whenDue: "fail",
  },
  {
    code: "class_limit",
    check: ({ classLeft }) => (classLeft !== null && classLeft <= 0 ? [appError("class_limit")] : []),
    canReopen: true,
    whenDue: "fail",
  },
] as const satisfies readonly Gate[];

export type GateCode = (typeof gates)[number]["code"];
/** The gates that delay a due campaign. */
export type DelayingGateCode = Extract<(typeof gates)[number], { whenDue: "delay" }>["code"];

/** Returns the gate whose refusals have this code, if there is one. */
export function gateOfCode(code: ErrorCode): Gate | undefined {
  return gates.find((gate) => gate.code === code);
}

/** Returns the refusals of all shut gates, in the order of the list. */
export function shutGates(facts: GateFacts): AppError[] {
  return gates.flatMap((gate) => gate.check(facts));
}

function paused(scope: "tenant" | "site"): AppError {
  const message = `Sends of this ${scope} are paused. Lift the pause and send again with the same key.`;
  return appError("send_paused", { message, scope });
}

function checkBilling({ plan, planExists, audience, audienceCap }: GateFacts): AppError[] {
  if (!planExists) {
    return [appError("billing", { message: sendMessages.plan_gone({ plan }), plan, audience, audienceCap: null })];
  }
  if (audienceCap === undefined || audience <= audienceCap) return [];
  return [appError("billing", { plan, audience, audienceCap })];
}
