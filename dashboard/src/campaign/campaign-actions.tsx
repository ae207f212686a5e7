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

/** What can still be done with a campaign that has not gone out. */
export function CampaignActions({ campaign }: { campaign: CampaignView }) {
  const { tenantId, siteId, canEdit } = usePlace();
  const { pendingId } = usePendingSend();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"send" | "schedule" | "cancel" | null>(null);
  const close = () => setDialog(null);
  const isSendable = campaign.status === "draft" || campaign.status === "scheduled";
  if (!canEdit || !isSendable) return null;
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
