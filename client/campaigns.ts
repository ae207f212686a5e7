import { listAll, type PageOptions } from "./pages.ts";
import { type Call, request, type Transport } from "./request.ts";
import type {
  Campaign,
  CampaignChange,
  CampaignFilter,
  CreatedCampaign,
  LocalTime,
  NewCampaign,
  NudgeUpdate,
  Page,
  SentCampaign,
  SentUpdate,
  TestSend,
  Update,
} from "./types.ts";

/** `signal` aborts the call, also while it waits to be repeated. It does not undo what the service has already done. */
export type CallOptions = { signal?: AbortSignal };

/**
 * `idempotencyKey`: 1 to 255 visible ASCII characters. Requests with the same key take effect once, also from another
 * process or after a crash. Without a key, the client makes one for each call, which covers only the repetitions of
 * that call.
 */
export type KeyOptions = CallOptions & { idempotencyKey?: string };

export type CampaignCalls = {
  /** Creates a draft. In url mode, a rejected story gives a `cancelled` campaign with the decision. */
  create(campaign: NewCampaign, options?: KeyOptions): Promise<CreatedCampaign>;
  read(campaignId: string, options?: CallOptions): Promise<Campaign>;
  /** Yields all campaigns that match the filter, newest first. Reads further pages when they are needed. */
  list(filter?: CampaignFilter, options?: PageOptions): AsyncGenerator<Campaign, void, undefined>;
  /** Returns one page of campaigns. */
  listPage(filter?: CampaignFilter, options?: PageOptions & { cursor?: string }): Promise<Page<Campaign>>;
  /** Changes a draft. Not repeated after a lost answer, because somebody else may have changed the draft since. */
  change(campaignId: string, change: CampaignChange, options?: CallOptions): Promise<Campaign>;
  /** Sends a campaign live, now. */
  send(campaignId: string, options?: KeyOptions): Promise<SentCampaign>;
  /**
   * Silently changes the campaign's notification on the screens of readers, once its run has ended. Repeating the
   * last update sends nothing. Not repeated after a lost answer, because somebody else's update may have come since,
   * and the old text would replace it.
   */
  update(campaignId: string, update: NudgeUpdate, options?: CallOptions): Promise<SentUpdate>;
  /** Returns the last updates of the campaign's notification, newest first. */
  updates(campaignId: string, options?: CallOptions): Promise<Update[]>;
  /**
   * Sends a campaign to the site's test devices. Not repeated after a lost answer, because they would be notified
   * twice.
   */
  test(campaignId: string, options?: CallOptions): Promise<TestSend>;
  /**
   * Schedules a campaign for a moment, or for a time of day in each reader's time zone. Not repeated after a lost
   * answer, because somebody else may have changed the campaign since.
   */
  schedule(campaignId: string, at: Date | string | LocalTime, options?: CallOptions): Promise<Campaign>;
  /** Cancels a campaign for good. Not repeated after a lost answer, because a second cancel is refused. */
  cancel(campaignId: string, options?: CallOptions): Promise<Campaign>;
};

export function createCampaignCalls(transport: Transport, tenantId: string): CampaignCalls {
  const all = `/v1/tenants/${encodeURIComponent(tenantId)}/campaigns`;
  const one = (campaignId: string, verb = "") => `/v1/campaigns/${encodeURIComponent(campaignId)}${verb}`;
  const post = <T>(path: string, rest: Partial<Call>): Promise<T> =>
    request(transport, { method: "POST", path, repeatable: false, ...rest });
  const withKey = <T>(path: string, { idempotencyKey, signal }: KeyOptions = {}, body?: unknown): Promise<T> =>
    post(path, { idempotencyKey: readKey(idempotencyKey), repeatable: true, signal, body });
  const listPage: CampaignCalls["listPage"] = (filter = {}, { cursor, limit, signal } = {}) =>
    request(transport, { method: "GET", path: all, query: { ...filter, cursor, limit }, repeatable: true, signal });
  return {
    listPage,
    list: (filter, options = {}) => listAll((cursor) => listPage(filter, { ...options, cursor })),
    create: async (campaign, options) => withKey(all, options, campaign),
    send: async (campaignId, options) => withKey(one(campaignId, "/send"), options),
    read: (campaignId, { signal } = {}) =>
      request(transport, { method: "GET", path: one(campaignId), repeatable: true, signal }),
    change: (campaignId, body, { signal } = {}) =>
      request(transport, { method: "PATCH", path: one(campaignId), body, repeatable: false, signal }),
    update: (campaignId, body, { signal } = {}) => post(one(campaignId, "/updates"), { body, signal }),
    updates: async (campaignId, { signal } = {}) => {
      const path = one(campaignId, "/updates");
      return (await request<{ updates: Update[] }>(transport, { method: "GET", path, repeatable: true, signal }))
        .updates;
    },
    test: (campaignId, { signal } = {}) => post(one(campaignId, "/test"), { signal }),
    schedule: async (campaignId, at, { signal } = {}) =>
      post(one(campaignId, "/schedule"), { body: scheduleOf(at), signal }),
    cancel: (campaignId, { signal } = {}) => post(one(campaignId, "/cancel"), { signal }),
  };
}

function scheduleOf(at: Date | string | LocalTime) {
  if (typeof at === "string") return { scheduleAt: at };
  if (at instanceof Date && Number.isNaN(at.getTime())) throw new TypeError("The time of a schedule is no valid date");
  return "time" in at ? { localTime: at } : { scheduleAt: at.toISOString() };
}

/** Throws TypeError for a key that the service would refuse. */
export function readKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (!/^[!-~]{1,255}$/.test(given)) throw new TypeError("`idempotencyKey` must be 1 to 255 visible ASCII characters");
  return given;
}
