import { type CallOptions, type CampaignCalls, createCampaignCalls } from "./campaigns.ts";
import { createGroupCalls, type GroupCalls } from "./groups.ts";
import { listAll, type PageOptions } from "./pages.ts";
import { createReportCalls, type ReportCalls } from "./reports.ts";
import { request, type Transport } from "./request.ts";
import { createRunCalls, type RunCalls } from "./runs.ts";
import type { Page, Preview, PreviewRequest, Site } from "./types.ts";

export type { CallOptions, CampaignCalls, KeyOptions } from "./campaigns.ts";
export { ConnectionError, type ErrorCode, type FieldFault, PressbellError } from "./errors.ts";
export type { GroupCalls } from "./groups.ts";
export type { PageOptions } from "./pages.ts";
export type { ReportCalls } from "./reports.ts";
export type { RunCalls, WaitOptions } from "./runs.ts";
export type { Sentence, SentenceParam, SentencePart } from "./sentence.ts";
export type * from "./types.ts";

export type ClientOptions = {
  /** The address of the service, such as `https://push.example.org`. */
  url: string;
  /** The secret of an API key, `pbk_…`. It belongs to one tenant. Keep it on a server. */
  apiKey: string;
  /** The tenant of the key. */
  tenantId: string;
  /** How often a call is repeated, if a repetition is safe. Default 4. */
  retries?: number;
  /** The time limit of one attempt. Default 30,000. */
  timeoutMs?: number;
  /** The wait before the first repetition. It doubles with each repetition, up to ten seconds. Default 250. */
  firstRetryMs?: number;
  /** The longest wait that the service may ask for. If it asks for more, the call fails at once. Default 60,000. */
  maxRetryAfterMs?: number;
  /** Replaces the global `fetch`, for a proxy or a binding of a worker. */
  fetch?: typeof fetch;
};

export type Client = {
  content: {
    /** Checks a story without creating anything. */
    preview(story: PreviewRequest, options?: CallOptions): Promise<Preview>;
  };
  campaigns: CampaignCalls;
  groups: GroupCalls;
  runs: RunCalls;
  sites: ReportCalls & {
    /** Yields all sites with their topics, oldest first. Reads further pages when they are needed. */
    list(options?: PageOptions): AsyncGenerator<Site, void, undefined>;
    /** Returns one page of sites. */
    listPage(options?: PageOptions & { cursor?: string }): Promise<Page<Site>>;
  };
};

/**
 * Creates a client of the API. Its calls throw PressbellError for a refusal, ConnectionError if no answer came, and the
 * reason of an aborted `signal`. Throws TypeError for options that cannot work.
 */
export function createClient(options: ClientOptions): Client {
  const transport = readOptions(options);
  const { tenantId } = options;
  const listPage: Client["sites"]["listPage"] = ({ cursor, limit, signal } = {}) =>
    request(transport, {
      method: "GET",
      path: `/v1/tenants/${encodeURIComponent(tenantId)}/sites`,
      query: { cursor, limit },
      repeatable: true,
      signal,
    });
  const reports = createReportCalls(transport, tenantId);
  return {
    content: {
      // A preview creates nothing, so a repetition has no effect.
      preview: (story, { signal } = {}) =>
        request(transport, {
          method: "POST",
          path: "/v1/content/preview",
          repeatable: true,
          signal,
          body: { ...story, tenantId },
        }),
    },
    campaigns: createCampaignCalls(transport, tenantId),
    groups: createGroupCalls(transport, tenantId),
    runs: createRunCalls(transport, tenantId),
    sites: { listPage, list: (from = {}) => listAll((cursor) => listPage({ ...from, cursor })), ...reports },
  };
}

function readOptions(options: ClientOptions): Transport {
  const {
    url,
    apiKey,
    tenantId,
    retries = 4,
    timeoutMs = 30_000,
    firstRetryMs = 250,
    maxRetryAfterMs = 60_000,
  } = options;
  if (!/^https?:\/\/[^/?#]+[^?#]*$/.test(url)) throw new TypeError("`url` must be the http(s) address of the service");
  // The message leaves out the key's value, because errors are logged.
  if (typeof apiKey !== "string" || !/^[!-~]+$/.test(apiKey))
    throw new TypeError("`apiKey` must be the secret of an API key, pbk_…");
  if (!tenantId) throw new TypeError("`tenantId` must be the id of the key's tenant");
  // In browsers and workers, the global `fetch` fails if it is called as a method of another object.
  const call = options.fetch ?? ((...request: Parameters<typeof fetch>) => globalThis.fetch(...request));
  return { url: url.replace(/\/+$/, ""), apiKey, retries, timeoutMs, firstRetryMs, maxRetryAfterMs, fetch: call };
}
