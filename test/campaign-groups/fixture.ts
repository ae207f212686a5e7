import { createSite } from "../../src/tenants/sites/sites.ts";
import { type CampaignFixture, openCampaignFixture, validFields } from "../campaigns/fixture.ts";
import type { Answer } from "../fixtures/app.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";

/** A publisher with three titles that have 1, 2 and 3 readers, and short functions for the calls of a CMS. */
export type GroupFixture = CampaignFixture & {
  sites: string[];
  /** Creates a group at all sites in manual mode. `fields` replace the usual fields. */
  createGroup(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a group at all sites, and returns its id. */
  group(): Promise<string>;
  /** Calls the group: a GET without a verb, and a POST with one. */
  callGroup(groupId: string, verb?: "send" | "stop", headers?: Record<string, string>): Promise<Answer>;
  /** Returns the runs of these campaigns, as their pages show them. */
  runsOf(campaigns: { runId: string | null }[]): Promise<Answer["body"][]>;
};

export async function openGroupFixture(settings: Record<string, string> = {}): Promise<GroupFixture> {
  const own = await openCampaignFixture(settings);
  const { app, api, publisher } = own;
  const sites = [publisher.siteId];
  for (const name of ["Evening News", "Coast Gazette"]) {
    const url = `https://${name.toLowerCase().replace(" ", "-")}.example`;
    sites.push((await createSite(app, publisher.actor, app.db, { name, url })).siteId);
  }
  for (const [i, siteId] of sites.entries()) await subscribe(app, siteId, createSubscriptions(i + 1));
  const key = publisher.apiKey;
  const fixture: GroupFixture = {
    ...own,
    sites,
    createGroup(fields = {}, headers = {}) {
      const body = { ...validFields, sites: sites.map((siteId) => ({ siteId })), ...fields };
      return api.call("POST", `/v1/tenants/${publisher.tenantId}/campaign-groups`, { key, body, headers });
    },
    async group() {
      const { status, body } = await fixture.createGroup();
      if (status !== 201) throw new Error(`no group: ${JSON.stringify(body)}`);
      return body.groupId;
    },
    callGroup: (groupId, verb, headers = {}) =>
      verb === undefined
        ? api.call("GET", `/v1/campaign-groups/${groupId}`, { key })
        : api.call("POST", `/v1/campaign-groups/${groupId}/${verb}`, { key, headers }),
    runsOf: (campaigns) => Promise.all(campaigns.map(({ runId }) => own.run(runId!))),
  };
  return fixture;
}
