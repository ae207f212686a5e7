import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type CampaignView, cancelCampaign } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { isSendable } from "../components/status-badge.tsx";
import { ScheduleDialog } from "../compose/schedule-dialog.tsx";
import { SendDialog } from "../compose/send-dialog.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useUndoWindow } from "../layout/undo-window.tsx";
import { words } from "../words/words.ts";

/**
 * The buttons of a campaign: before the send, to edit, schedule, send or cancel it; afterwards, to duplicate or
 * correct it.
 */
export function CampaignActions({ campaign }: { campaign: CampaignView }) {
  const { tenantId, siteId, canEdit } = useCurrentSite();
  const { isPending } = useUndoWindow();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"send" | "schedule" | "cancel" | null>(null);
  const close = () => setDialog(null);
  if (!canEdit) return null;
  if (!isSendable(campaign.status)) return <FinishedActions campaign={campaign} />;
  return (
    <>
      <Button variant="subtle" color="red" disabled={isPending} onClick={() => setDialog("cancel")}>
        {words.campaign.cancelIt}
      </Button>
      <ButtonLink
        variant="default"
        to="/sites/$siteId/compose"
        params={{ siteId }}
        search={{ draft: campaign.campaignId }}
      >
        {words.campaign.edit}
      </ButtonLink>
      <Duplicate campaign={campaign} />
      <Button variant="default" disabled={isPending} onClick={() => setDialog("schedule")}>
        {campaign.status === "draft" ? words.campaign.schedule : words.campaign.changeTheTime}
      </Button>
      <Button disabled={isPending} leftSection={<Icon name="send" size={16} />} onClick={() => setDialog("send")}>
        {words.campaign.sendNow}
      </Button>
      <SendDialog campaign={dialog === "send" ? campaign : null} onClose={close} />
      <ScheduleDialog campaign={dialog === "schedule" ? campaign : null} onClose={close} />
      <Confirm
        opened={dialog === "cancel"}
        onClose={close}
        title={words.campaign.cancelThisCampaign}
        action={words.campaign.cancelTheCampaign}
        act={async () => {
          await cancelCampaign(tenantId, campaign.campaignId);
          await queries.invalidateQueries();
        }}
      >
        {words.campaign.itWillNotGoOut}
      </Confirm>
    </>
  );
}

/** A link to compose a new campaign with the same text. */
function Duplicate({ campaign: { campaignId } }: { campaign: CampaignView }) {
  const { siteId } = useCurrentSite();
  return (
    <ButtonLink variant="default" to="/sites/$siteId/compose" params={{ siteId }} search={{ copy: campaignId }}>
      {words.campaign.duplicate}
    </ButtonLink>
  );
}

/**
 * A correction is offered only after the run: before that, the wrong notification could arrive after its correction.
 */
function FinishedActions({ campaign }: { campaign: CampaignView }) {
  const { siteId } = useCurrentSite();
  const { campaignId, status } = campaign;
  return (
    <>
      <Duplicate campaign={campaign} />
      {(status === "sent" || status === "stopped") && (
        <ButtonLink variant="default" to="/sites/$siteId/compose" params={{ siteId }} search={{ corrects: campaignId }}>
          {words.campaign.sendACorrection}
        </ButtonLink>
      )}
    </>
  );
}
