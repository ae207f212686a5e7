import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type CampaignView, cancelCampaign } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { isSendable } from "../components/status-badge.tsx";
import { ScheduleDialog, SendDialog } from "../compose/dialogs.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useUndoWindow } from "../layout/undo-window.tsx";
import { words } from "../words/words.ts";
import { useApprovalRequest } from "./use-approval-request.ts";

type Kind = "send" | "schedule" | "cancel";

/** The buttons of a campaign. Before the send: edit, schedule, send and cancel. After it: duplicate and correct. */
export function CampaignActions({ campaign }: { campaign: CampaignView }) {
  const { canEdit } = useCurrentSite();
  // The dialog keeps the campaign as it was when the dialog opened. It tells what others do meanwhile, but does not
  // change.
  const [dialog, setDialog] = useState<{ kind: Kind; campaign: CampaignView } | null>(null);
  if (!canEdit) return null;
  const isOpen = isSendable(campaign.status);
  return (
    <>
      {isOpen ? (
        <OpenActions campaign={campaign} open={(kind) => setDialog({ kind, campaign })} />
      ) : (
        <FinishedActions campaign={campaign} />
      )}
      {(isOpen || dialog !== null) && <Dialogs dialog={dialog} close={() => setDialog(null)} />}
    </>
  );
}

/**
 * The buttons before the send. While a second person is asked, only that answer can send the campaign, so that no
 * other way competes with the request.
 */
function OpenActions({ campaign, open }: { campaign: CampaignView; open: (kind: Kind) => void }) {
  const { siteId } = useCurrentSite();
  const { isPending } = useUndoWindow();
  const isAsked = useApprovalRequest(campaign) !== null;
  return (
    <>
      <Button variant="subtle" color="red" disabled={isPending} onClick={() => open("cancel")}>
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
      {!isAsked && (
        <>
          <Button variant="default" disabled={isPending} onClick={() => open("schedule")}>
            {campaign.status === "draft" ? words.campaign.schedule : words.campaign.changeTheTime}
          </Button>
          <Button disabled={isPending} leftSection={<Icon name="send" size={16} />} onClick={() => open("send")}>
            {words.campaign.sendNow}
          </Button>
        </>
      )}
    </>
  );
}

function Dialogs({ dialog, close }: { dialog: { kind: Kind; campaign: CampaignView } | null; close: () => void }) {
  const { tenantId } = useCurrentSite();
  const queries = useQueryClient();
  const campaignOf = (kind: Kind) => (dialog?.kind === kind ? dialog.campaign : null);
  const toSend = campaignOf("send");
  return (
    <>
      <SendDialog campaigns={toSend === null ? [] : [toSend]} onClose={close} />
      <ScheduleDialog campaign={campaignOf("schedule")} onClose={close} />
      <Confirm
        opened={dialog?.kind === "cancel"}
        onClose={close}
        title={words.campaign.cancelThisCampaign}
        action={words.campaign.cancelTheCampaign}
        act={async () => {
          await cancelCampaign(tenantId, dialog!.campaign.campaignId);
          await queries.invalidateQueries();
        }}
      >
        {words.campaign.cancelWarning}
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
 * The buttons after the send. A correction is offered only after the run has ended. Before that, the wrong
 * notification could arrive after its correction.
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
