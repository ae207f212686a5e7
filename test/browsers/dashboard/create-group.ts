import type { Api } from "../../fixtures/app.ts";

/** Creates a notification to several sites. Returns its group, and the id of its campaign at each site. */
export async function createGroup(
  api: Pick<Api, "call">,
  { tenantId, key }: { tenantId: string; key: string },
  siteIds: string[],
): Promise<{ groupId: string; campaignAt: (siteId: string) => string }> {
  const { body } = await api.call("POST", `/v1/tenants/${tenantId}/campaign-groups`, {
    key,
    body: {
      mode: "manual",
      url: "https://news.example/bridge",
      title: "Bridge opens",
      body: "On Saturday.",
      sites: siteIds.map((siteId) => ({ siteId })),
    },
  });
  const campaignAt = (at: string): string =>
    body.campaigns.find(({ siteId }: { siteId: string }) => siteId === at).campaignId;
  return { groupId: body.groupId, campaignAt };
}
