import { textsIn } from "../components/texts-in.ts";

const names = ["search", "status", "topicId", "sender", "from", "to", "sort"] as const;

/**
 * The filter and order of the list of campaigns. They are in the address, so that they can be bookmarked and shared.
 */
export type CampaignFilter = { [Name in (typeof names)[number]]?: string };

/** Reads the filter from the search parameters of an address. */
export const filterIn = (search: Record<string, unknown>): CampaignFilter => textsIn(names, search);

const dayMs = 86_400_000;
const dayOf = (timeZone: string, atMs: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(atMs);

/**
 * Returns a changed filter. The order by clicks covers a year at most. If the person has chosen no days, they are set
 * to the last year.
 */
export function changeFilter(filter: CampaignFilter, change: CampaignFilter, timeZone: string): CampaignFilter {
  const next = filterIn({ ...filter, ...change });
  if (next.sort !== "clicks") return next;
  const to = next.to ?? dayOf(timeZone, Date.now());
  return { ...next, from: next.from ?? dayOf("UTC", Date.parse(to) - 364 * dayMs), to };
}
