import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentSite } from "../layout/session.tsx";
import { type Draft, isAddress, whatIsMissing } from "./draft.ts";
import { type DecidedOn, decidedOn, verdictQuery } from "./verdict-query.ts";

/**
 * Queries the story of a draft as soon as its URL is complete. Once the editor pauses, queries the decision with the
 * texts and the audience of the draft. Asks for nothing for a correction, because its story was already sent.
 */
export function useVerdict(draft: Draft) {
  const currentSite = useCurrentSite();
  const queries = useQueryClient();
  const [url] = useDebouncedValue(draft.url, 350);
  const [settled] = useDebouncedValue(draft, 1_500);
  const isChecked = draft.mode === "url" && draft.corrects === undefined && isAddress(url);
  // If nothing is checked, the key has no address, because a disabled query still returns what another page has read.
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
