import { type CallOptions, type KeyOptions, readKey } from "./campaigns.ts";
import { request, type Transport } from "./request.ts";
import type { CreatedGroup, Group, NewGroup, SentGroup } from "./types.ts";

/** Calls for groups. A group is one notification to several sites, with a campaign for each site. */
export type GroupCalls = {
  /** Creates a campaign at each site, or none if one of them is refused. */
  create(group: NewGroup, options?: KeyOptions): Promise<CreatedGroup>;
  /** Returns the group's campaigns with the figures of their runs, and the sums. */
  read(groupId: string, options?: CallOptions): Promise<Group>;
  /**
   * Sends each campaign live, now. Returns the result for each site. A refusal at one site does not hold back the
   * others.
   */
  send(groupId: string, options?: KeyOptions): Promise<SentGroup>;
  /** Stops each run that has not ended. Repeated after a lost answer, because stopping twice gives the same answer. */
  stop(groupId: string, options?: CallOptions): Promise<Group>;
};

export function createGroupCalls(transport: Transport, tenantId: string): GroupCalls {
  const all = `/v1/tenants/${encodeURIComponent(tenantId)}/campaign-groups`;
  const one = (groupId: string, verb = "") => `/v1/campaign-groups/${encodeURIComponent(groupId)}${verb}`;
  const withKey = <T>(path: string, { idempotencyKey, signal }: KeyOptions = {}, body?: unknown): Promise<T> => {
    const key = readKey(idempotencyKey);
    return request(transport, { method: "POST", path, idempotencyKey: key, repeatable: true, signal, body });
  };
  return {
    create: async (group, options) => withKey(all, options, group),
    send: async (groupId, options) => withKey(one(groupId, "/send"), options),
    read: (groupId, { signal } = {}) =>
      request(transport, { method: "GET", path: one(groupId), repeatable: true, signal }),
    stop: (groupId, { signal } = {}) =>
      request(transport, { method: "POST", path: one(groupId, "/stop"), repeatable: true, signal }),
  };
}
