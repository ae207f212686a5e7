import type { Executor } from "../db/pool.ts";
import { type FieldFault, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { largestPayloadBytes, maxPayloadBytes } from "../runs/payload.ts";
import { hasSegment } from "../subscribers/segments/queries.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { unknownTopics } from "../tenants/topics/queries.ts";
import type { CampaignRecord } from "./campaign.ts";
import type { NamedIds } from "./campaign-input.ts";
import { variantsOf } from "./headline-variants.ts";

/**
 * Returns the faults of the ids of site, topics and segment in a request. Another tenant's ids count as unknown. Topics
 * and segment are checked only if the site is known.
 */
export async function faultsOfReferences(on: Executor, tenantId: string, named: NamedIds): Promise<FieldFault[]> {
  if (named.siteId === undefined) return [];
  if ((await siteOfTenant(on, tenantId, named.siteId)) === undefined) {
    return [fault("/siteId", faults.unknown_site())];
  }
  const unknown = await unknownTopics(on, named.siteId, named.topicIds);
  const wrong = named.topicIds.flatMap((id, index) =>
    unknown.has(id) ? [fault(`/topicIds/${index}`, faults.unknown_topic())] : [],
  );
  if (!named.segment || (await hasSegment(on, named.siteId, named.segment))) return wrong;
  return [...wrong, fault("/segment", faults.unknown_segment())];
}

/**
 * Returns the fault of a campaign that has both followersOf and topics, because it is unclear which of them would
 * apply.
 */
export function faultsOfFollowers(named: {
  topicIds: string[];
  followersOf?: string | null | undefined;
}): FieldFault[] {
  if (!named.followersOf || named.topicIds.length === 0) return [];
  return [fault("/followersOf", faults.topics_and_followers())];
}

/**
 * Refuses a notification whose message is larger than push services accept (`maxPayloadBytes`), because they would
 * refuse it for each recipient. Throws `validation_failed` for the field that can be shortened most.
 */
export function assertPayloadFits(nudge: Pick<CampaignRecord, "title" | "body" | "url" | "imageUrl" | "extras">): void {
  const [own] = variantsOf(nudge);
  const bytes = largestPayloadBytes({ ...own!, title: nudge.title ?? "" });
  if (bytes <= maxPayloadBytes) return;
  const tooLarge = faults.campaign_too_large({ bytes, most: maxPayloadBytes });
  throw invalidFields([fault(nudge.imageUrl === null ? "/url" : "/imageUrl", tooLarge)]);
}
