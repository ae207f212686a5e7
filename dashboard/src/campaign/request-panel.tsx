import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ApprovalRequest, approveRequest, type CampaignView, refuseRequest } from "../api/calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { people } from "../components/numbers.ts";
import { fromNow, goesOutAt } from "../components/times.tsx";
import { useCurrentSite, useStart } from "../layout/session.tsx";
import { useUndoWindow } from "../layout/undo-window.tsx";
import { words } from "../words/words.ts";
import { useApprovalRequest } from "./use-approval-request.ts";

/** The open approval request of a campaign, and the buttons to approve, refuse or withdraw it. */
export function RequestPanel({ campaign }: { campaign: CampaignView }) {
  const request = useApprovalRequest(campaign);
  if (request === null) return null;
  return <Waiting key={request.requestId} request={request} />;
}

function Waiting({ request }: { request: ApprovalRequest }) {
  const { site } = useCurrentSite();
  const { data } = useStart();
  const isOwn = request.askedBy.userId === data?.user?.userId;
  const { scheduleAt, localTime } = request;
  const when = scheduleAt === null ? words.campaign.atOnce : goesOutAt(site.timeZone, scheduleAt, localTime);
  const audience = <b>{people(request.audience)}</b>;
  const ends = fromNow(request.expiresAt);
  return (
    <Alert color="indigo" variant="light" icon={<Icon name="members" />} title={words.campaign.approvalTitle}>
      <Stack gap="sm">
        <Text size="sm">
          {isOwn
            ? words.campaign.ownRequest({ people: audience, when, ends })
            : words.campaign.othersRequest({
                who: <bdi>{request.askedBy.label}</bdi>,
                people: audience,
                when,
                ends,
              })}
        </Text>
        <Decide request={request} isOwn={isOwn} />
      </Stack>
    </Alert>
  );
}

function Decide({ request, isOwn }: { request: ApprovalRequest; isOwn: boolean }) {
  const { tenantId, canEdit } = useCurrentSite();
  const { begin, isPending } = useUndoWindow();
  const queries = useQueryClient();
  const { campaignId, requestId, scheduleAt } = request;
  const decide = useMutation({
    mutationFn: (verb: "approve" | "refuse"): Promise<unknown> =>
      verb === "refuse"
        ? refuseRequest(tenantId, campaignId, requestId)
        : scheduleAt === null
          ? begin(campaignId, { requestId })
          : approveRequest(tenantId, campaignId, requestId),
    onSettled: () => queries.invalidateQueries(),
  });
  if (!canEdit) return null;
  return (
    <>
      <FormError error={decide.error} />
      <Group gap="xs">
        {!isOwn && (
          <Button
            leftSection={<Icon name={scheduleAt === null ? "send" : "clock"} size={16} />}
            disabled={isPending}
            loading={decide.isPending && decide.variables === "approve"}
            onClick={() => decide.mutate("approve")}
          >
            {scheduleAt === null ? words.campaign.approveAndSend : words.campaign.approveTheTime}
          </Button>
        )}
        <Button
          variant="default"
          disabled={isPending}
          loading={decide.isPending && decide.variables === "refuse"}
          onClick={() => decide.mutate("refuse")}
        >
          {isOwn ? words.campaign.takeItBack : words.campaign.refuse}
        </Button>
      </Group>
    </>
  );
}
