import { createHash } from "node:crypto";
import type { App } from "../../app.ts";
import type { WebResult } from "../../egress/page/fetch-page.ts";
import { headerValue, readContentType } from "../../egress/page/response-headers.ts";
import { urlRefusals } from "../../egress/page/url-guard.ts";
import type { Message } from "../../messages.ts";
import { feedMessages as messages } from "../messages.ts";
import type { ParsedFeed } from "../parse/entry.ts";
import { feedTask } from "../parse/parse-feed.ts";
import { webAddress } from "../web-address.ts";
import { freshnessMs, retryAfterMs } from "./next-poll.ts";

/** The most bytes that are read of a feed. A longer document is cut off, and its first entries are read. */
export const maxFeedBytes = 10 * 1024 * 1024;
/** Longer values of ETag and Last-Modified are not stored. */
const maxValidatorLength = 1_024;

/**
 * What is stored of the last answer, for a conditional request (RFC 9110 section 13) and to recognise the same body.
 */
export type Validators = { etag: string | null; lastModified: string | null; bodyHash: Buffer | null };

/**
 * A feed that was fetched and parsed, or the reason why not. `freshMs`: how long the answer is fresh by its
 * Cache-Control and Age. `movedTo`: the feed's new address, if its server has moved it for good.
 */
export type FetchedFeed =
  | { kind: "unchanged"; freshMs: number; movedTo: string | null }
  | ({ kind: "read"; url: string; freshMs: number; movedTo: string | null; feed: ParsedFeed } & Omit<
      Validators,
      "bodyHash"
    > & {
        bodyHash: Buffer;
      })
  | { kind: "failed"; code: FeedFault; message: Message; retryAfterMs: number | null }
  /** The fetch shows nothing about the feed: all fetch slots or parser threads were taken, or `signal` aborted it. */
  | { kind: "none" };

/** What to say of each fault, except for those that need a parameter. */
export const feedFaults = {
  unreachable: messages.feed_unreachable,
  timeout: messages.feed_timeout,
  tls: messages.feed_certificate,
  bad_answer: messages.feed_broken_answer,
  gone: messages.feed_gone,
  internal: messages.feed_fault,
  not_a_feed: messages.feed_not_found,
};

export type FeedFault = keyof typeof feedFaults | "url_not_allowed" | "http_status";

/**
 * Fetches a feed through the URL guard and parses it. `known`: the validators of the last answer. Fetches with the
 * same `who` share fetch slots. Never rejects because of what the feed's server does.
 */
export async function fetchFeed(
  app: Pick<App, "pages" | "now" | "parser">,
  { url, who, known, signal }: { url: string; who: string; known?: Validators; signal?: AbortSignal },
): Promise<FetchedFeed> {
  const headers = {
    accept: "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
    ...(known?.etag ? { "if-none-match": known.etag } : {}),
    ...(known?.lastModified ? { "if-modified-since": known.lastModified } : {}),
  };
  const request = {
    requester: who,
    headers,
    maxBytes: maxFeedBytes,
    cuts: true,
    anyType: true,
    ...(signal && { signal }),
  };
  const result = await app.pages.request(url, request);
  if (result.kind === "busy" || signal?.aborted) return { kind: "none" };
  if (result.kind !== "answer") return failure(result);
  return readAnswer(app, result, known, { url, who });
}

type Answer = Extract<WebResult, { kind: "answer" }>;

async function readAnswer(
  app: Pick<App, "now" | "parser">,
  { url, status, headers, body, movedTo }: Answer,
  known: Validators | undefined,
  asked: { url: string; who: string },
): Promise<FetchedFeed> {
  const header = (name: string) => headerValue(headers[name], "");
  const freshMs = freshnessMs(header("cache-control"), header("age"));
  // A 304 to a request without validators is an error of the server.
  if (status === 304 && (known?.etag || known?.lastModified)) return { kind: "unchanged", freshMs, movedTo };
  // A 410 after a temporary redirect does not count: only that target is gone, and the feed may come back.
  if (status === 410 && url === (movedTo ?? URL.parse(asked.url)?.href)) return failed("gone");
  if (status !== 200) {
    return {
      kind: "failed",
      code: "http_status",
      message: messages.feed_status({ status }),
      retryAfterMs: retryAfterMs(header("retry-after"), app.now()),
    };
  }
  // The URL is part of the hash: relative links of the same body lead elsewhere at another address.
  const bodyHash = createHash("sha256").update(url).update("\n").update(body).digest();
  if (known?.bodyHash?.equals(bodyHash)) return { kind: "unchanged", freshMs, movedTo };
  const { charset } = readContentType(headers);
  const parsed = await app.parser.parse(
    feedTask,
    { url, body, ...(charset === undefined ? {} : { charset }) },
    asked.who,
  );
  if (parsed.kind === "busy") return { kind: "none" };
  const feed = parsed.kind === "parsed" ? parsed.value : null;
  if (feed === null) return failed("not_a_feed");
  const links = linksOf(headers.link, url);
  const validator = (name: string) => (header(name).length <= maxValidatorLength ? header(name) || null : null);
  return {
    kind: "read",
    url,
    freshMs,
    movedTo,
    bodyHash,
    etag: validator("etag"),
    lastModified: validator("last-modified"),
    feed: { ...feed, hubs: [...links.hubs, ...feed.hubs], self: links.self ?? feed.self },
  };
}

/**
 * Returns hubs and the feed's own address from Link headers (RFC 8288). They take precedence over those in the
 * document (WebSub section 4).
 */
function linksOf(value: string | string[] | undefined, base: string): { hubs: string[]; self: string | null } {
  const links = [
    ...[value ?? []]
      .flat()
      .join(", ")
      .slice(0, 8_192)
      .matchAll(/<([^<>]*)>([^<]*)/g),
  ];
  const withRelation = (rel: string) =>
    links
      .filter(([, , rest]) =>
        (/;\s*rel\s*=\s*"?([^";,]*)/i.exec(rest!)?.[1] ?? "").toLowerCase().split(/\s+/).includes(rel),
      )
      .flatMap(([, href]) => webAddress(href!, base) ?? []);
  return { hubs: withRelation("hub"), self: withRelation("self")[0] ?? null };
}

function failure(result: Exclude<WebResult, { kind: "answer" | "busy" }>): FetchedFeed {
  if (result.kind === "refused")
    return { kind: "failed", code: "url_not_allowed", message: urlRefusals[result.reason], retryAfterMs: null };
  const { reason } = result;
  // These two have no code of their own among the faults of a feed.
  return failed(reason === "too_large" || reason === "too_many_redirects" ? "unreachable" : reason);
}

function failed(code: keyof typeof feedFaults) {
  return { kind: "failed" as const, code, message: feedFaults[code](), retryAfterMs: null };
}
