import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type CampaignView, cancelCampaign } from "../api/calls.ts";
import { ScheduleDialog } from "../compose/schedule-dialog.tsx";
import { SendDialog } from "../compose/send-dialog.tsx";
import { usePendingSend } from "../frame/pending-send.tsx";
import { usePlace } from "../frame/session.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Icon } from "../parts/icon.tsx";
import { ButtonLink } from "../parts/links.tsx";
import { isSendable } from "../parts/status.tsx";

/** What can be done with a campaign: send it, or once that is over begin another one from it. */
export function CampaignActions({ campaign }: { campaign: CampaignView }) {
  const { tenantId, siteId, canEdit } = usePlace();
  const { pendingId } = usePendingSend();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"send" | "schedule" | "cancel" | null>(null);
  const close = () => setDialog(null);
  if (!canEdit) return null;
  if (!isSendable(campaign.status)) return <AfterTheEnd campaign={campaign} />;
  const isPending = pendingId !== null;
  return (
    <>
      <Button variant="subtle" color="red" disabled={isPending} onClick={() => setDialog("cancel")}>
        Cancel it
      </Button>
      {campaign.status === "draft" && (
        <ButtonLink
          variant="default"
          to="/sites/$siteId/compose"
          params={{ siteId }}
          search={{ draft: campaign.campaignId }}
        >
          Edit
        </ButtonLink>
      )}
      <Duplicate campaign={campaign} />
      <Button variant="default" disabled={isPending} onClick={() => setDialog("schedule")}>
        {campaign.status === "draft" ? "Schedule…" : "Change the time…"}
      </Button>
      <Button disabled={isPending} leftSection={<Icon name="send" size={16} />} onClick={() => setDialog("send")}>
        Send now…
      </Button>
      <SendDialog campaign={dialog === "send" ? campaign : null} onClose={close} />
      <ScheduleDialog campaign={dialog === "schedule" ? campaign : null} onClose={close} />
      <Confirm
        opened={dialog === "cancel"}
        onClose={close}
        title="Cancel this campaign?"
        action="Cancel the campaign"
        act={async () => {
          await cancelCampaign(tenantId, campaign.campaignId);
          await queries.invalidateQueries();
        }}
      >
        It will not go out, and cannot be brought back.
      </Confirm>
    </>
  );
}

/** Its text as a new draft. */
function Duplicate({ campaign: { campaignId } }: { campaign: CampaignView }) {
  const { siteId } = usePlace();
  return (
    <ButtonLink variant="default" to="/sites/$siteId/compose" params={{ siteId }} search={{ copy: campaignId }}>
      Duplicate
    </ButtonLink>
  );
}

/** What is wrong is corrected once its run is over: before that it could be the wrong nudge that comes last. */
function AfterTheEnd({ campaign }: { campaign: CampaignView }) {
  const { siteId } = usePlace();
  const { campaignId, status } = campaign;
  return (
    <>
      <Duplicate campaign={campaign} />
      {(status === "sent" || status === "stopped") && (
        <ButtonLink variant="default" to="/sites/$siteId/compose" params={{ siteId }} search={{ corrects: campaignId }}>
          Send a correction…
        </ButtonLink>
      )}
    </>
  );
}
