import { sql } from "kysely";
import { type Executor, row, type Tx } from "../db/pool.ts";
import { type DelayingGateCode, type GateCode, gates, type SiteFacts } from "./gates.ts";

/** The SQL of each fact, over a site `s` and its tenant `t`. */
const factSql: Record<keyof SiteFacts, string> = {
  siteRemoved: "s.removed_at is not null",
  dpaAccepted: "t.dpa_accepted_at is not null",
  tenantPaused: "t.paused_at is not null",
  sitePaused: "s.paused_at is not null",
  plan: "t.plan",
};
const factColumns = sql.raw(
  Object.entries(factSql)
    .map(([fact, expression]) => `${expression} as "${fact}"`)
    .join(", "),
);

/** Returns the facts of a site and its tenant that the gates check. */
export function gateFactsOfSite(on: Executor, siteId: string): Promise<SiteFacts | undefined> {
  return row(
    sql<SiteFacts>`select ${factColumns} from sites s join tenants t on t.id = s.tenant_id where s.id = ${siteId}`,
    on,
  );
}

/**
 * The SQL condition under which a gate is shut, over a site `s` and its tenant `t`. Null if SQL alone cannot check
 * the gate. That is allowed only for gates after the last gate that delays. A test compares `delayingGate` with the
 * gates themselves.
 */
const shutSql: Record<GateCode, string | null> = {
  site_removed: factSql.siteRemoved,
  dpa_required: `not (${factSql.dpaAccepted})`,
  send_paused: `(${factSql.tenantPaused} or ${factSql.sitePaused})`,
  billing: null,
  class_limit: null,
};

/**
 * SQL over a site `s` and its tenant `t`: the code of the first shut gate if that gate delays due campaigns, else null.
 */
export const delayingGate = sql.raw<DelayingGateCode | null>(
  `case ${gates
    .filter(({ code }) => shutSql[code] !== null)
    .map(({ code, whenDue }) => `when ${shutSql[code]} then ${whenDue === "delay" ? `'${code}'` : "null"}`)
    .join(" ")} end`,
);

/**
 * Returns an SQL condition over a site `s` and its tenant `t`: all gates are open for a send within the audience cap.
 * It does not check the limits of classes. `plans`: the names in the setting PLANS.
 */
export const gatesOpen = (plans: string[]) => {
  const shut = Object.values(shutSql).filter((condition) => condition !== null);
  return sql`not (${sql.raw(shut.join(" or "))}) and t.plan = any(${plans}::text[])`;
};

/**
 * Returns the plan of a site's tenant and locks the site's row, so that the site is not exported or removed meanwhile;
 * undefined if a gate is shut.
 */
export async function lockOpenSite(tx: Tx, siteId: string, plans: string[]): Promise<string | undefined> {
  const found = await row(
    sql<{ plan: string }>`select t.plan from sites s join tenants t on t.id = s.tenant_id
      where s.id = ${siteId} and ${gatesOpen(plans)} for key share of s`,
    tx,
  );
  return found?.plan;
}
