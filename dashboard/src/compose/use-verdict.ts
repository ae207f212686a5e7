import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentSite } from "../layout/session.tsx";
import { type Draft, isAddress, whatIsMissing } from "./draft.ts";
import { type DecidedOn, decidedOn, verdictQuery } from "./verdict-query.ts";

/**
 * Queries the story of a draft as soon as its URL is complete, and the decision that a campaign of the draft gets: with the
 * texts and the audience of the draft once the editor pauses. Nothing for a correction: its story has gone out.
 */
export function useVerdict(draft: Draft) {
  const currentSite = useCurrentSite();
  const queries = useQueryClient();
  const [url] = useDebouncedValue(draft.url, 350);
  const [settled] = useDebouncedValue(draft, 1_500);
  const isChecked = draft.mode === "url" && draft.corrects === undefined && isAddress(url);
  // Without the address in its key: a query that is not enabled still returns what another page has read.
  const ofStory = useQuery({ ...verdictQuery(currentSite, { url: isChecked ? url : "" }), enabled: isChecked });
  const own = ofStory.data?.nudge;
  const isWritten = isChecked && own !== undefined && settled.url === url && whatIsMissing(settled) === null;
  const verdict = useQuery({
    ...verdictQuery(currentSite, isWritten ? decidedOn(settled, own) : { url: isChecked ? url : "" }),
    enabled: isChecked,
    placeholderData: (before, query) => (query?.queryKey[2].url === url ? before : undefined),
  });
  const readAgain = () => {
    const isOfStory = ({ queryKey }: { queryKey: readonly unknown[] }) => (queryKey[2] as DecidedOn).url === url;
    void queries.refetchQueries({ queryKey: ["verdict", currentSite.siteId], type: "active", predicate: isOfStory });
  };
  return { story: own ?? null, verdict, readAgain };
}
