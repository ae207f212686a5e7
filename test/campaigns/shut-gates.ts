import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import type { GateCode } from "../../src/sends/gates.ts";
import { siteOfTenant } from "../../src/tenants/sites/queries.ts";
import { removeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { insertRun } from "../fixtures/rows/runs.ts";

/**
 * The setting for an app whose publishers have the plan "unlimited". A test can put them on "none", which allows no
 * reader.
 */
export const PLANS = JSON.stringify({ unlimited: {}, none: { audienceCap: 0 } });

async function liveRunsOf({ db }: App, siteId: string): Promise<number> {
  const found = await row(sql<{ n: number }>`select count(*) as n from runs where site_id = ${siteId}`, db);
  return found!.n;
}

/** Functions that shut each gate for a publisher with readers. */
export const shut: Record<GateCode, (app: App, publisher: Publisher) => Promise<unknown>> = {
  site_removed: (app, { actor, siteId }) => removeSite(app, actor, { siteId }),
  dpa_required: (app, { actor }) => changeTenant(app, actor, { dpaAccepted: false }),
  send_paused: (app, { actor }) => changeTenant(app, actor, { paused: true }),
  billing: (app, { actor }) => changeTenant(app, actor, { plan: "none" }),
  async class_limit(app, { actor, tenantId, siteId }) {
    if ((await liveRunsOf(app, siteId)) === 0) await insertRun(app, { siteId, tenantId, audience: 1 });
    // Nobody can change the rules of a removed site.
    if (await siteOfTenant(app.db, tenantId, siteId)) await setClassRule(app, { siteId, actor }, { maxADay: 1 });
  },
};

/** Opens those gates of a publisher that can be opened again. */
export const openGates = (app: App, { actor }: Publisher) =>
  changeTenant(app, actor, { dpaAccepted: true, paused: false, plan: "unlimited" });
