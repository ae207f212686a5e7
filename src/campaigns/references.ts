import type { Executor } from "../db/pool.ts";
import type { FieldFault } from "../errors.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import type { NamedIds } from "./campaign-input.ts";
import { unknownTopics } from "./queries.ts";

/**
 * What is wrong with the site and the topics that a caller names. Another tenant's are as unknown as none at all; of an
 * unknown site no topic is judged.
 */
export async function faultsOfReferences(on: Executor, tenantId: string, named: NamedIds): Promise<FieldFault[]> {
  if (named.siteId === undefined) return [];
  if ((await siteOfTenant(on, tenantId, named.siteId)) === undefined) {
    return [{ path: "/siteId", message: "is no site of this tenant" }];
  }
  const unknown = await unknownTopics(on, named.siteId, named.topicIds);
  return named.topicIds.flatMap((id, index) =>
    unknown.has(id) ? [{ path: `/topicIds/${index}`, message: "is no topic of this site" }] : [],
  );
}
