import { type CallOptions, type KeyOptions, readKey } from "./campaigns.ts";
import { request, type Transport } from "./request.ts";
import type { CreatedGroup, Group, NewGroup, SentGroup } from "./types.ts";

/** One notification to several sites: a campaign for each. */
export type GroupCalls = {
  /** Creates a campaign at each site, all or none. */
  create(group: NewGroup, options?: KeyOptions): Promise<CreatedGroup>;
  /** Its campaigns with the figures of their runs, and the sums. */
  read(groupId: string, options?: CallOptions): Promise<Group>;
  /** Sends each campaign live, now. Says for each site what became of it: a site that refuses holds back no other. */
  send(groupId: string, options?: KeyOptions): Promise<SentGroup>;
  /** Stops each run that goes on. Stopping twice gives the same answer, so it is repeated after a lost one. */
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
