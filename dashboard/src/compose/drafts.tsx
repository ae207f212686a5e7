import { ActionIcon, Alert, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type AutosavedDraft, autosavedDrafts, deleteAutosavedDraft } from "../api/autosaved-draft-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink, TextLink } from "../components/links.tsx";
import { Moment } from "../components/times.tsx";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import type { SaveState } from "./use-autosave.ts";

/** A note that says whether the typed text is saved, such as "Saved 2 s ago". */
export function SaveNote({ state }: { state: SaveState }) {
  const nowMs = useEverySecond(state.kind === "saved");
  if (state.kind === "untouched") return null;
  if (state.kind === "failed") {
    return (
      <Text size="sm" role="status" c="var(--status-orange)">
        {state.isTooLong ? words.compose.draftTooLong : words.compose.draftOnlyInBrowser}
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed" className="figures" data-testid="save-note">
      {state.kind === "saved" ? savedBefore(nowMs - state.atMs) : words.compose.saving}
    </Text>
  );
}

function savedBefore(ms: number): string {
  const { savedNow, savedSecondsAgo, savedMinutesAgo, savedHoursAgo, savedEarlier } = words.compose;
  const s = Math.max(0, Math.round(ms / 1_000));
  if (s < 1) return savedNow;
  if (s < 60) return savedSecondsAgo({ s });
  const min = Math.floor(s / 60);
  if (min < 60) return savedMinutesAgo({ min });
  return min < 1_440 ? savedHoursAgo({ h: Math.floor(min / 60) }) : savedEarlier;
}

function useEverySecond(isOn: boolean): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (!isOn) return;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOn]);
  return nowMs;
}

/** A note that the page continues the text that was typed last, with a button to start a new one. */
export function GoingOn() {
  const { siteId } = useCurrentSite();
  return (
    <Alert color="gray" variant="light" icon={<Icon name="info" />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{words.compose.draftResumed}</Text>
        <ButtonLink
          size="compact-sm"
          variant="default"
          to="/sites/$siteId/compose"
          params={{ siteId }}
          search={{ fresh: "yes" }}
        >
          {words.compose.startANewOne}
        </ButtonLink>
      </Group>
    </Alert>
  );
}

const nameOf = ({ content: { title, body, url } }: AutosavedDraft) =>
  [title, body, url].map((text) => text.trim()).find((text) => text !== "") ?? words.compose.withoutATitle;

/**
 * Returns the query of the member's drafts. Opening a text reads them again, because the previous text may have been
 * saved meanwhile.
 */
export const autosavedDraftsQuery = ({ tenantId, siteId }: CurrentSite) => ({
  queryKey: ["autosaved-drafts", siteId],
  queryFn: () => autosavedDrafts(tenantId, siteId),
  staleTime: 60_000,
});

/** The member's other drafts of the site, to continue or delete. */
export function OtherDrafts({ autosavedDraftId }: { autosavedDraftId: string }) {
  const currentSite = useCurrentSite();
  const { siteId, site } = currentSite;
  const query = useQuery(autosavedDraftsQuery(currentSite));
  const others = (query.data ?? []).filter((one) => one.autosavedDraftId !== autosavedDraftId);
  if (others.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.compose.yourOtherDrafts}>
      <Title order={2} size="h4" mb="sm">
        {words.compose.yourOtherDrafts}
      </Title>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {others.map((one) => (
          <Group key={one.autosavedDraftId} component="li" justify="space-between" wrap="nowrap" gap="xs">
            <div style={{ minWidth: 0 }}>
              <TextLink
                to="/sites/$siteId/compose"
                params={{ siteId }}
                search={{ autosavedDraft: one.autosavedDraftId }}
                lineClamp={1}
              >
                <bdi>{nameOf(one)}</bdi>
              </TextLink>
              <Text size="xs" c="dimmed">
                <Moment at={one.savedAt} timeZone={site.timeZone} />
              </Text>
            </div>
            <DeleteDraft
              autosavedDraftId={one.autosavedDraftId}
              name={nameOf(one)}
              onDeleted={() => void query.refetch()}
              isSmall
            />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

/** A button that deletes a draft, after a question. A campaign that was made from the draft stays. */
export function DeleteDraft(props: {
  autosavedDraftId: string;
  name: string;
  onDeleted: () => void;
  isSmall?: boolean;
  isScheduled?: boolean;
}) {
  const { autosavedDraftId, name, onDeleted, isSmall = false, isScheduled = false } = props;
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const act = async () => {
    await deleteAutosavedDraft(tenantId, siteId, autosavedDraftId);
    await queries.invalidateQueries({ queryKey: ["autosaved-drafts"] });
    onDeleted();
  };
  return (
    <>
      {isSmall ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={words.compose.deleteDraftOf({ name })}
          onClick={() => setAsking(true)}
        >
          <Icon name="cross" size={16} />
        </ActionIcon>
      ) : (
        <Button variant="subtle" color="red" size="compact-sm" onClick={() => setAsking(true)}>
          {isScheduled ? words.compose.dropTheseChanges : words.compose.deleteThisDraft}
        </Button>
      )}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={isScheduled ? words.compose.dropChangesTitle : words.compose.deleteDraftTitle}
        action={isScheduled ? words.compose.dropChangesConfirm : words.compose.deleteDraftConfirm}
        act={act}
      >
        {isScheduled ? words.compose.dropChangesWarning : words.compose.deleteDraftWarning}
      </Confirm>
    </>
  );
}
