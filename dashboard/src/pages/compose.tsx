import { Alert, Grid, Paper, Stack, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { type CampaignView, campaign, overview, preview } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/page.tsx";
import { RecentSends } from "../components/recent-sends.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { Actions } from "../compose/actions.tsx";
import { Audience } from "../compose/audience.tsx";
import { copyOf, correctionOf, type Draft, draftOf, emptyDraft, isAddress, useDraft } from "../compose/draft.ts";
import { NudgeEditor } from "../compose/nudge-editor.tsx";
import { Previews } from "../compose/previews.tsx";
import { Story } from "../compose/story.tsx";
import { useSavedCampaign } from "../compose/use-saved-campaign.ts";
import { useCurrentSite } from "../layout/session.tsx";

/** Composes a new campaign, a saved draft, a copy of a campaign, or a correction of one. */
export function ComposePage() {
  const { tenantId, canEdit } = useCurrentSite();
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
  const { site } = useCurrentSite();
  const { draft, isEdited, write, fill } = useDraft(first, first !== emptyDraft);
  const { save } = useSavedCampaign(saved);
  const verdict = useVerdict(draft);
  const story = draft.mode === "url" ? (verdict.data?.nudge ?? null) : null;
  const takeOver = () => {
    fill({ title: story?.title ?? "", body: story?.body ?? "", imageUrl: story?.imageUrl ?? "" });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another story replaces texts, and only unedited ones
  useEffect(() => {
    if (story !== null && !isEdited) takeOver();
  }, [story]);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="lg">
          {draft.corrects !== undefined && <CorrectionNotice />}
          <Story draft={draft} write={write} verdict={verdict} />
          <NudgeEditor draft={draft} isEdited={isEdited} write={write} story={story} onReset={takeOver} />
          <Audience draft={draft} write={write} />
          <Actions draft={draft} save={save} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg" pos={{ base: "static", md: "sticky" }} top={24}>
          <Previews nudge={draft} siteName={site.name} siteUrl={site.url} />
          <RecentlySent />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function CorrectionNotice() {
  return (
    <Alert color="indigo" variant="light" icon={<Icon name="info" />} title="This is a correction">
      It takes the place of the first nudge where that is still on a screen, and on devices that were off. People who
      have closed the first one see this as a new one.
    </Alert>
  );
}

/** Queries the decision on the story as soon as its URL is complete. */
function useVerdict(draft: Draft) {
  const { tenantId, siteId } = useCurrentSite();
  const [url] = useDebouncedValue(draft.url, 350);
  return useQuery({
    queryKey: ["verdict", siteId, url],
    queryFn: ({ signal }) => preview(tenantId, { url, siteId }, signal),
    enabled: draft.mode === "url" && isAddress(url),
    staleTime: 60_000,
  });
}

/** Shows the last sends beside the draft, so that no editor sends the same news twice. */
function RecentlySent() {
  const { tenantId, siteId } = useCurrentSite();
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
