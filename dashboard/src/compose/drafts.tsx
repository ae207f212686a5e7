import { ActionIcon, Alert, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { deleteSketch, type Sketch, sketches } from "../api/sketch-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink, TextLink } from "../components/links.tsx";
import { Moment } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import type { SaveState } from "./use-autosave.ts";

/** Whether what is typed is saved: "Saved 2 s ago". */
export function SaveNote({ state }: { state: SaveState }) {
  const nowMs = useEverySecond(state.kind === "saved");
  if (state.kind === "untouched") return null;
  if (state.kind === "failed") {
    return (
      <Text size="sm" role="status" c="var(--status-orange)">
        {state.isTooLong
          ? "This is too long to be saved. Shorten it; until then only this browser has it."
          : "Only this browser has your text: the service does not answer. It is saved as soon as it does."}
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed" className="figures" data-testid="save-note">
      {state.kind === "saved" ? `Saved ${age(nowMs - state.atMs)}` : "Saving…"}
    </Text>
  );
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 1) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 1_440 ? `${Math.floor(minutes / 60)} h ago` : "earlier";
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

/** Says that the page goes on with what was typed last, and offers to start anew. */
export function GoingOn() {
  const { siteId } = useCurrentSite();
  return (
    <Alert color="gray" variant="light" icon={<Icon name="info" />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">You go on with your last draft.</Text>
        <ButtonLink
          size="compact-sm"
          variant="default"
          to="/sites/$siteId/compose"
          params={{ siteId }}
          search={{ fresh: "yes" }}
        >
          Start a new one
        </ButtonLink>
      </Group>
    </Alert>
  );
}

const nameOf = ({ content: { title, body, url } }: Sketch) =>
  [title, body, url].map((text) => text.trim()).find((text) => text !== "") ?? "Without a title";

/** The member's other drafts of the site, to continue or delete. */
export function OtherDrafts({ sketchId }: { sketchId: string }) {
  const { tenantId, siteId, site } = useCurrentSite();
  const query = useQuery({ queryKey: ["sketches", siteId], queryFn: () => sketches(tenantId, siteId) });
  const others = (query.data ?? []).filter((one) => one.sketchId !== sketchId);
  if (others.length === 0) return null;
  return (
    <Paper component="section" aria-label="Your other drafts">
      <Title order={2} size="h4" mb="sm">
        Your other drafts
      </Title>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {others.map((one) => (
          <Group key={one.sketchId} component="li" justify="space-between" wrap="nowrap" gap="xs">
            <div style={{ minWidth: 0 }}>
              <TextLink to="/sites/$siteId/compose" params={{ siteId }} search={{ sketch: one.sketchId }} lineClamp={1}>
                <bdi>{nameOf(one)}</bdi>
              </TextLink>
              <Text size="xs" c="dimmed">
                <Moment at={one.savedAt} timeZone={site.timeZone} />
              </Text>
            </div>
            <DeleteDraft sketchId={one.sketchId} name={nameOf(one)} onDeleted={() => void query.refetch()} isSmall />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

/** A button that deletes a draft, after a question. A campaign that was made of it stays. */
export function DeleteDraft(props: {
  sketchId: string;
  name: string;
  onDeleted: () => void;
  isSmall?: boolean;
  isScheduled?: boolean;
}) {
  const { sketchId, name, onDeleted, isSmall = false, isScheduled = false } = props;
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const act = async () => {
    await deleteSketch(tenantId, siteId, sketchId);
    await queries.invalidateQueries({ queryKey: ["sketches"] });
    onDeleted();
  };
  return (
    <>
      {isSmall ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete the draft “${name}”`}
          onClick={() => setAsking(true)}
        >
          <Icon name="cross" size={16} />
        </ActionIcon>
      ) : (
        <Button variant="subtle" color="red" size="compact-sm" onClick={() => setAsking(true)}>
          {isScheduled ? "Drop these changes" : "Delete this draft"}
        </Button>
      )}
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={isScheduled ? "Drop these changes?" : "Delete this draft?"}
        action={isScheduled ? "Drop the changes" : "Delete the draft"}
        act={act}
      >
        {isScheduled
          ? "What you typed and did not save cannot be brought back. The nudge goes out at its time, as it was saved."
          : "Its text cannot be brought back. What was saved under Campaigns stays there."}
      </Confirm>
    </>
  );
}
