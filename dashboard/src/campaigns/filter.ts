import { textsIn } from "../components/texts-in.ts";

const names = ["search", "status", "topicId", "sender", "from", "to", "sort"] as const;

/** What the list of campaigns is filtered and sorted by. The address has it, so that it can be bookmarked and shared. */
export type CampaignFilter = { [Name in (typeof names)[number]]?: string };

/** Reads the filter from the search parameters of an address. */
export const filterIn = (search: Record<string, unknown>): CampaignFilter => textsIn(names, search);

const dayMs = 86_400_000;
const dayOf = (timeZone: string, atMs: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(atMs);

/**
 * Changes a filter. The order by clicks is that of a year at most: days that it needs and that nobody has chosen are
 * those of the last year.
 */
export function changeFilter(filter: CampaignFilter, change: CampaignFilter, timeZone: string): CampaignFilter {
  const next = filterIn({ ...filter, ...change });
  if (next.sort !== "clicks") return next;
  const to = next.to ?? dayOf(timeZone, Date.now());
  return { ...next, from: next.from ?? dayOf("UTC", Date.parse(to) - 364 * dayMs), to };
}
