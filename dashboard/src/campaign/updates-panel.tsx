import { Button, Group, List, Paper, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  type CampaignView,
  type NudgeUpdate,
  run,
  stopRun,
  type UpdateView,
  updateNudge,
  updates,
} from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** How long a notification can be updated. Later, the service refuses an update. */
const updatableMs = 7 * 86_400_000;

/** The updates of a notification that was sent. Editors also get the form for the next update. */
export function UpdatesPanel({ campaign }: { campaign: CampaignView }) {
  const { tenantId, canEdit, site } = useCurrentSite();
  const { campaignId } = campaign;
  const query = useQuery({
    queryKey: ["updates", campaignId],
    queryFn: () => updates(tenantId, campaignId),
    refetchInterval: ({ state }) => (state.data?.some(({ startsInMs }) => startsInMs !== undefined) ? 1_000 : false),
  });
  const first = useChosenText(campaign);
  const sent = query.data ?? [];
  const canUpdate = canEdit && Date.now() - Date.parse(campaign.updatedAt) < updatableMs;
  if (query.data === undefined || first === undefined || (!canUpdate && sent.length === 0)) return null;
  // Only the text is taken over: an update has further fields, which the service would refuse in the next update.
  const { title, body } = sent[0] ?? first;
  return (
    <Paper component="section" aria-label={words.campaign.updates}>
      <Title order={2} size="h4" mb={4}>
        {words.campaign.updates}
      </Title>
      {canUpdate && <UpdateForm key={sent.length} campaignId={campaignId} shown={{ title: title ?? "", body }} />}
      {sent.length > 0 && (
        <List size="sm" mt="md" spacing={4} listStyleType="none">
          {sent.map((update) => (
            <List.Item key={update.runId} data-update={update.status}>
              <Text component="span" size="sm" c="dimmed" className="figures">
                {momentIn(site.timeZone, update.createdAt, { seconds: true })}
              </Text>{" "}
              <bdi>{[update.title, update.body].filter(Boolean).join(" · ")}</bdi>
              <UpdateState update={update} />
            </List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}

/** The state of an update that did not go out. While it can still be undone, the button that undoes it. */
function UpdateState({ update: { status, startsInMs, runId, campaignId } }: { update: UpdateView }) {
  const { tenantId, canEdit } = useCurrentSite();
  const queries = useQueryClient();
  const undo = useMutation({
    mutationFn: () => stopRun(tenantId, runId),
    onSettled: () => queries.invalidateQueries({ queryKey: ["updates", campaignId] }),
  });
  if (startsInMs === undefined)
    return status === "stopping" || status === "stopped" ? ` (${words.campaign.statuses[status]})` : null;
  return (
    <Group gap="xs" mt={4}>
      <Text size="sm" role="status" className="figures">
        {words.campaign.updateStartsIn({ s: Math.ceil(startsInMs / 1_000) })}
      </Text>
      {canEdit && (
        <Button size="compact-sm" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
          {words.campaign.undoTheUpdate}
        </Button>
      )}
      <FormError error={undo.error} />
    </Group>
  );
}

/**
 * Returns the text of the notification, or undefined until it is known. After a headline test, it is the chosen
 * variant's.
 */
function useChosenText(campaign: CampaignView): Pick<CampaignView, "title" | "body"> | undefined {
  const { tenantId } = useCurrentSite();
  const { runId, variants } = campaign;
  const { data } = useQuery({
    queryKey: ["run", runId],
    queryFn: () => run(tenantId, runId!),
    enabled: variants !== undefined,
  });
  if (variants === undefined) return campaign;
  if (data === undefined) return undefined;
  return data.headlineTest?.variants[data.headlineTest.chosen ?? 0] ?? campaign;
}

function UpdateForm({ campaignId, shown }: { campaignId: string; shown: { title: string; body: string } }) {
  const { tenantId } = useCurrentSite();
  const queries = useQueryClient();
  const [text, setText] = useState(shown);
  const [isAsking, setAsking] = useState(false);
  const save = useMutation({
    mutationFn: (change: NudgeUpdate) => updateNudge(tenantId, campaignId, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["updates", campaignId] }),
    onSettled: () => setAsking(false),
  });
  const isChanged = text.title !== shown.title || text.body !== shown.body;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAsking(true);
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.campaign.updatesLead}
        </Text>
        <TextInput
          label={words.compose.title}
          value={text.title}
          maxLength={120}
          onChange={(event) => setText({ ...text, title: event.currentTarget.value })}
          error={faultIn(save.error, "title")}
        />
        <Textarea
          label={words.compose.text}
          autosize
          value={text.body}
          maxLength={240}
          onChange={(event) => setText({ ...text, body: event.currentTarget.value })}
          error={faultIn(save.error, "body")}
        />
        <FormError error={save.error} fields={["title", "body"]} />
        <Group>
          <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
            {words.campaign.updateTheNudge}
          </Button>
        </Group>
        <Confirm
          opened={isAsking}
          onClose={() => setAsking(false)}
          title={words.campaign.updateTitle}
          action={words.campaign.updateIt}
          refusal={words.campaign.notYet}
          act={() => save.mutateAsync(text)}
        >
          {words.campaign.updateWarning({ text: <b>{[text.title, text.body].filter(Boolean).join(" · ")}</b> })}
        </Confirm>
      </Stack>
    </form>
  );
}
