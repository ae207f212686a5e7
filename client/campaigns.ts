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

/** `signal` aborts the call, also between repetitions. What the service has taken by then is done. */
export type CallOptions = { signal?: AbortSignal };

/**
 * `idempotencyKey`: 1 to 255 visible ASCII characters. Requests with the same key have one effect, also of another
 * process or after a crash. Without one the client makes its own for each call, which covers the repetitions of that
 * call only.
 */
export type KeyOptions = CallOptions & { idempotencyKey?: string };

export type CampaignCalls = {
  /** Creates a draft. In url mode a story that is rejected gives a campaign that is `cancelled`, with the decision. */
  create(campaign: NewCampaign, options?: KeyOptions): Promise<CreatedCampaign>;
  read(campaignId: string, options?: CallOptions): Promise<Campaign>;
  /** All campaigns that the filter fits, newest first; reads further pages as they are needed. */
  list(filter?: CampaignFilter, options?: PageOptions): AsyncGenerator<Campaign, void, undefined>;
  /** One page of them. */
  listPage(filter?: CampaignFilter, options?: PageOptions & { cursor?: string }): Promise<Page<Campaign>>;
  /** Changes a draft. Not repeated after a lost answer: another's change may have come between. */
  change(campaignId: string, change: CampaignChange, options?: CallOptions): Promise<Campaign>;
  /** Sends it live, now. */
  send(campaignId: string, options?: KeyOptions): Promise<SentCampaign>;
  /**
   * Changes its notification where it is on the screen, silently, once its run has ended. Repeating the last update
   * sends nothing. Not repeated after a lost answer: after another's update it would bring the old text back.
   */
  update(campaignId: string, update: NudgeUpdate, options?: CallOptions): Promise<SentUpdate>;
  /** The last updates of its notification, newest first. */
  updates(campaignId: string, options?: CallOptions): Promise<Update[]>;
  /** Sends it to the site's test devices. Not repeated after a lost answer: they would be notified twice. */
  test(campaignId: string, options?: CallOptions): Promise<TestSend>;
  /**
   * Schedules it for a moment, or for a time of a day where each reader is. Not repeated after a lost answer: another's
   * change may have come between.
   */
  schedule(campaignId: string, at: Date | string | LocalTime, options?: CallOptions): Promise<Campaign>;
  /** Cancels it for good. Not repeated after a lost answer, as a second one is refused. */
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
