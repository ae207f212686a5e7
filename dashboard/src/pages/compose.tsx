import { Alert, Grid, Group, Paper, Stack, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import type { CampaignView } from "../api/calls.ts";
import { nameOfDay } from "../calendar/weeks.ts";
import { Icon } from "../components/icon.tsx";
import { Page } from "../components/page.tsx";
import { RecentSends } from "../components/recent-sends.tsx";
import { EmptyState, ErrorState, Loaded, LoadingState } from "../components/states.tsx";
import { goesOutAt } from "../components/times.tsx";
import { Actions } from "../compose/actions.tsx";
import { audienceQuery } from "../compose/audience-query.ts";
import { type Draft, useDraft } from "../compose/draft.ts";
import { DeleteDraft, GoingOn, OtherDrafts, SaveNote } from "../compose/drafts.tsx";
import { Meanwhile, useMeanwhile } from "../compose/meanwhile.tsx";
import { NewestStories } from "../compose/newest-stories.tsx";
import { NudgeEditor } from "../compose/nudge-editor.tsx";
import type { Opened } from "../compose/open-autosaved-draft.ts";
import { Previews } from "../compose/previews.tsx";
import { ShutGates } from "../compose/shut-gates.tsx";
import { Story } from "../compose/story.tsx";
import { useAutosave } from "../compose/use-autosave.ts";
import { overviewQuery, useFirstAnswers, useSiteAnswers } from "../compose/use-first-answers.ts";
import { useOpened } from "../compose/use-opened.ts";
import { usePlannedDay } from "../compose/use-planned-day.ts";
import { useSavedCampaign } from "../compose/use-saved-campaign.ts";
import { useVerdict } from "../compose/use-verdict.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const Audience = lazy(async () => ({ default: (await import("../compose/audience.tsx")).Audience }));

/** The page that composes a new campaign, a draft, a copy of a campaign, or a correction. */
export function ComposePage() {
  const { canEdit } = useCurrentSite();
  const day = usePlannedDay();
  const lead = day === undefined ? undefined : words.pages.planDayHint({ day: nameOfDay(day) });
  return (
    <Page title={words.pages.compose} lead={lead}>
      {canEdit ? (
        <Desk />
      ) : (
        <EmptyState icon="compose" title={words.pages.viewerTitle}>
          {words.pages.viewerHint}
        </EmptyState>
      )}
    </Page>
  );
}

function Desk() {
  const { opened, error, retry, onSaved } = useOpened();
  // These are read at the same time as the draft.
  useSiteAnswers();
  if (error !== null) return <ErrorState error={error} onRetry={retry} />;
  if (opened === null) return <LoadingState />;
  return <Prepared key={opened.autosavedDraftId} opened={opened} onSaved={onSaved} />;
}

type ComposerProps = { opened: Opened; onSaved: (autosavedDraftId: string, isCopy: boolean) => void };

/** Waits until every answer is there, so that nothing on the page moves. The code of the audience comes right after. */
function Prepared(props: ComposerProps) {
  const hasAnswers = useFirstAnswers(props.opened.content);
  const [isShown, show] = useState(hasAnswers);
  if (hasAnswers && !isShown) show(true);
  return isShown ? <Composer {...props} /> : <LoadingState />;
}

function Composer({ opened, onSaved }: ComposerProps) {
  const { siteId, site } = useCurrentSite();
  const navigate = useNavigate();
  const { draft, isEdited, write, fill } = useDraft(opened.content);
  const [autosavedDraftId, setAutosavedDraftId] = useState(opened.autosavedDraftId);
  const noteSaved = useCallback(
    (id: string, isCopy: boolean) => {
      setAutosavedDraftId(id);
      onSaved(id, isCopy);
    },
    [onSaved],
  );
  const autosave = useAutosave(opened, { ...draft, isEdited }, noteSaved);
  const { saved, save } = useSavedCampaign(opened.saved);
  const campaign = saved[0] ?? null;
  const scheduledAt = campaign?.status === "scheduled" ? campaign.scheduledAt : null;
  const saveAndLink = async (of: Draft, isKept: boolean) => {
    const written = await save(of);
    autosave.link(written[0]!.campaignId, { ...of, isEdited }, isKept);
    return written;
  };
  const { story, verdict, readAgain } = useVerdict(draft);
  const takeOver = () => {
    fill({ title: story?.title ?? "", body: story?.body ?? "", imageUrl: story?.imageUrl ?? "" });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another story replaces texts, and only unedited ones
  useEffect(() => {
    if (story !== null && !isEdited) takeOver();
  }, [story]);
  // On a phone, people see what goes out before they come to the button that sends it.
  const isNarrow = useMediaQuery("(max-width: 61.99em)", undefined, { getInitialValueInEffect: false });
  const previews = <Previews nudge={draft} siteName={site.name} siteUrl={site.url} />;
  const startAnew = () => {
    autosave.end();
    void navigate({ to: "/sites/$siteId/compose", params: { siteId }, search: { fresh: "yes" } });
  };
  // A typed text stays with its story. Choosing another story starts a new draft.
  const choose = (url: string) => {
    if (!isEdited && campaign === null) write({ mode: "url", url });
    else void navigate({ to: "/sites/$siteId/compose", params: { siteId }, search: { story: url } });
  };
  const asides = (
    <>
      <OtherDrafts autosavedDraftId={autosavedDraftId} />
      <RecentlySent />
    </>
  );
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="lg">
          {draft.corrects !== undefined && <CorrectionNotice />}
          {scheduledAt !== null && <ScheduledNotice at={scheduledAt} localTime={campaign!.localTime} />}
          <Story
            draft={draft}
            write={write}
            verdict={verdict}
            readAgain={readAgain}
            isScheduled={scheduledAt !== null}
          />
          {opened.goesOn && <GoingOn />}
          <Gates draft={draft} />
          {campaign !== null && <MeanwhileSaved campaign={campaign} />}
          {draft.corrects === undefined && scheduledAt === null && <NewestStories chosen={draft.url} choose={choose} />}
          <NudgeEditor draft={draft} isEdited={isEdited} write={write} story={story} onReset={takeOver} />
          <Suspense fallback={<Paper mih={410} />}>
            <Audience draft={draft} write={write} isScheduled={scheduledAt !== null} />
          </Suspense>
          {isNarrow && previews}
          <Actions draft={draft} save={saveAndLink} isScheduled={scheduledAt !== null}>
            <Group justify="space-between" mih={26}>
              <SaveNote state={autosave.state} />
              {autosave.state.kind === "saved" && (
                <DeleteDraft
                  autosavedDraftId={autosavedDraftId}
                  name={draft.title}
                  onDeleted={startAnew}
                  isScheduled={scheduledAt !== null}
                />
              )}
            </Group>
            {isNarrow && asides}
          </Actions>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Stack gap="lg" pos={{ base: "static", md: "sticky" }} top={24}>
          {!isNarrow && previews}
          {!isNarrow && asides}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** The gates that would refuse a send now, shown before a button is pressed. */
function Gates({ draft }: { draft: Draft }) {
  const size = useQuery({ ...audienceQuery(useCurrentSite(), draft), placeholderData: keepPreviousData });
  return <ShutGates shut={size.data?.shut ?? []} />;
}

/** What others have done with the saved campaign that this page changes. */
function MeanwhileSaved({ campaign }: { campaign: CampaignView }) {
  const what = useMeanwhile(campaign);
  return what === undefined ? null : <Meanwhile what={what} />;
}

function ScheduledNotice({ at, localTime }: { at: string; localTime: CampaignView["localTime"] }) {
  const { timeZone } = useCurrentSite().site;
  return (
    <Alert color="indigo" variant="light" icon={<Icon name="clock" />} title={words.pages.scheduledTitle}>
      {words.pages.scheduledHint({ when: goesOutAt(timeZone, at, localTime) })}
    </Alert>
  );
}

function CorrectionNotice() {
  return (
    <Alert color="indigo" variant="light" icon={<Icon name="info" />} title={words.pages.correctionTitle}>
      {words.pages.correctionHint}
    </Alert>
  );
}

/** The last sends, shown beside the draft so that no editor sends the same news twice. */
function RecentlySent() {
  const currentSite = useCurrentSite();
  const query = useQuery(overviewQuery(currentSite));
  return (
    <Paper component="section" aria-label={words.pages.recentSends}>
      <Title order={2} size="h4" mb="sm">
        {words.pages.recentSends}
      </Title>
      <Loaded of={query}>
        {({ recent, timeZone }) => (
          <RecentSends recent={recent.slice(0, 4)} siteId={currentSite.siteId} timeZone={timeZone} />
        )}
      </Loaded>
    </Paper>
  );
}
