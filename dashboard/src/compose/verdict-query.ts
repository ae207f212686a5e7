import { preview, type Verdict } from "../api/calls.ts";
import type { CurrentSite } from "../layout/session.tsx";
import type { Draft } from "./draft.ts";

const texts = ["title", "body", "imageUrl"] as const;

/** What a decision depends on. An absent text is that of the story. */
export type DecidedOn = Pick<Draft, "url"> &
  Partial<Pick<Draft, (typeof texts)[number] | "topicIds" | "segment" | "followersOf" | "class">>;

/**
 * Returns the query of the decision on a story. The service reads the page of the story for it, so an answer is used
 * for a minute.
 */
export const verdictQuery = ({ tenantId, siteId }: CurrentSite, story: DecidedOn) => ({
  queryKey: ["verdict", siteId, story] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => preview(tenantId, { ...story, siteId }, signal),
  staleTime: 60_000,
});

/** Returns what the decision on a draft depends on. `own`: the texts of its story. */
export function decidedOn(draft: Draft, own?: Verdict["nudge"]): DecidedOn {
  const { url, topicIds, segment, followersOf, class: ofClass } = draft;
  const written = texts.filter((name) => own === undefined || draft[name] !== (own[name] ?? ""));
  return {
    url,
    ...Object.fromEntries(written.map((name) => [name, draft[name]])),
    ...(topicIds.length === 0 ? {} : { topicIds }),
    ...(segment ? { segment } : {}),
    ...(followersOf ? { followersOf } : {}),
    ...(ofClass === "normal" ? {} : { class: ofClass }),
  };
}
