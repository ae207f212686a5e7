import { Alert, Grid, Paper, Stack, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { type CampaignView, campaign, overview, preview } from "../api/calls.ts";
import { Actions } from "../compose/actions.tsx";
import { Audience } from "../compose/audience.tsx";
import { copyOf, correctionOf, type Draft, draftOf, emptyDraft, isAddress, useDraft } from "../compose/draft.ts";
import { NudgeEditor } from "../compose/nudge-editor.tsx";
import { Previews } from "../compose/previews.tsx";
import { Story } from "../compose/story.tsx";
import { useSaved } from "../compose/use-saved.ts";
import { usePlace } from "../frame/session.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { RecentSends } from "../parts/recent-sends.tsx";
import { EmptyState, Loaded } from "../parts/states.tsx";

/** A new nudge, a draft that was saved before, the copy of a campaign, or the correction of one. */
export function ComposePage() {
  const { tenantId, canEdit } = usePlace();
  const { draft, copy, corrects } = useSearch({ strict: false });
  const campaignId = draft ?? copy ?? corrects;
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
        <Composer key="new" saved={null} first={emptyDraft} />
      ) : (
        <Loaded of={found}>
          {(campaign) => {
            if (draft !== undefined) return <Composer key={draft} saved={campaign} first={draftOf(campaign)} />;
            const first = copy === undefined ? correctionOf(campaign) : copyOf(campaign);
            return <Composer key={`${copy ? "copy" : "correct"} ${campaignId}`} saved={null} first={first} />;
          }}
        </Loaded>
      )}
    </Page>
  );
}

function Composer({ saved, first }: { saved: CampaignView | null; first: Draft }) {
  const { site } = usePlace();
  const { draft, own, write, fill } = useDraft(first, first !== emptyDraft);
  const { save } = useSaved(saved);
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
          {draft.corrects !== undefined && <Corrects />}
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

function Corrects() {
  return (
    <Alert color="indigo" variant="light" icon={<Icon name="info" />} title="This is a correction">
      It takes the place of the nudge that went out where that still stands on a screen, and reaches devices that were
      off instead of it. Who has closed the first one sees this as a new one.
    </Alert>
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
