import { Grid, Paper, Stack, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { type CampaignView, campaign, overview, preview } from "../api/calls.ts";
import { Actions } from "../compose/actions.tsx";
import { Audience } from "../compose/audience.tsx";
import { type Draft, draftOf, emptyDraft, isAddress, useDraft } from "../compose/draft.ts";
import { NudgeEditor } from "../compose/nudge-editor.tsx";
import { Previews } from "../compose/previews.tsx";
import { Story } from "../compose/story.tsx";
import { useSaved } from "../compose/use-saved.ts";
import { usePlace } from "../frame/session.tsx";
import { Page } from "../parts/page.tsx";
import { RecentSends } from "../parts/recent-sends.tsx";
import { EmptyState, Loaded } from "../parts/states.tsx";

/** A new nudge, or a draft that was saved before. */
export function ComposePage() {
  const { tenantId, canEdit } = usePlace();
  const { draft: campaignId } = useSearch({ strict: false });
  const found = useQuery({
    queryKey: ["campaign", campaignId],
    queryFn: () => campaign(tenantId, campaignId!),
    enabled: campaignId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title="Compose">
      {!canEdit ? (
        <EmptyState icon="compose" title="You can look, not send">
          Ask an owner to make you an editor. You see what goes out under Campaigns.
        </EmptyState>
      ) : campaignId === undefined ? (
        <Composer key="new" first={null} />
      ) : (
        <Loaded of={found}>{(first) => <Composer key={first.campaignId} first={first} />}</Loaded>
      )}
    </Page>
  );
}

function Composer({ first }: { first: CampaignView | null }) {
  const { site } = usePlace();
  const { draft, own, write, fill } = useDraft(first === null ? emptyDraft : draftOf(first), first !== null);
  const { save } = useSaved(first);
  const verdict = useVerdict(draft);
  const story = draft.mode === "url" ? (verdict.data?.nudge ?? null) : null;
  const takeOver = () => {
    fill({ title: story?.title ?? "", body: story?.body ?? "", imageUrl: story?.imageUrl ?? "" });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another story writes, and never over own words
  useEffect(() => {
    if (story !== null && !own) takeOver();
  }, [story]);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="lg">
          <Story draft={draft} write={write} verdict={verdict} />
          <NudgeEditor draft={draft} own={own} write={write} story={story} onReset={takeOver} />
          <Audience draft={draft} write={write} />
          <Actions draft={draft} save={save} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg" pos={{ base: "static", md: "sticky" }} top={24}>
          <Previews nudge={draft} siteName={site.name} siteUrl={site.url} />
          <LatelySent />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** What is thought of the story, as soon as its address is whole. */
function useVerdict(draft: Draft) {
  const { tenantId, siteId } = usePlace();
  const [url] = useDebouncedValue(draft.url, 350);
  return useQuery({
    queryKey: ["verdict", siteId, url],
    queryFn: ({ signal }) => preview(tenantId, { url, siteId }, signal),
    enabled: draft.mode === "url" && isAddress(url),
    staleTime: 60_000,
  });
}

/** Stands beside what is being written: nobody shall be nudged twice with the same news. */
function LatelySent() {
  const { tenantId, siteId } = usePlace();
  const query = useQuery({ queryKey: ["overview", siteId], queryFn: () => overview(tenantId, siteId) });
  return (
    <Paper component="section" aria-label="Went out lately">
      <Title order={2} size="h4" mb="sm">
        Went out lately
      </Title>
      <Loaded of={query}>
        {({ recent, timeZone }) => <RecentSends recent={recent.slice(0, 4)} siteId={siteId} timeZone={timeZone} />}
      </Loaded>
    </Paper>
  );
}
