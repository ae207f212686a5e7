import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import type { CampaignView } from "../api/calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { people } from "../components/numbers.ts";
import { ErrorState, LoadingState } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useUndoWindow } from "../layout/undo-window.tsx";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";
import { audienceQuery } from "./audience-query.ts";
import { DecisionNow } from "./decision-now.tsx";
import { Forecast } from "./forecast.tsx";
import { GroupQuestion } from "./group-question.tsx";
import { Meanwhile, useMeanwhile } from "./meanwhile.tsx";
import { NudgeToSend } from "./nudge-to-send.tsx";
import { ShutGates } from "./shut-gates.tsx";
import { useAskToSend, useConfirmAbove, wantsSecondPerson } from "./use-second-person.ts";
import { useSegment } from "./use-segments.ts";

/**
 * The confirmation of a live send at one or several sites, with the number of people. Closed if there are no
 * campaigns.
 */
export function SendDialog({ campaigns, onClose }: { campaigns: CampaignView[]; onClose: () => void }) {
  const [campaign, ...others] = campaigns;
  return (
    <Modal
      opened={campaign !== undefined}
      onClose={onClose}
      title={<b>{words.compose.sendThisNudge}</b>}
      data-testid="send-dialog"
    >
      {campaign !== undefined && others.length === 0 && <Question campaign={campaign} onClose={onClose} />}
      {others.length > 0 && <GroupQuestion campaigns={campaigns} onClose={onClose} />}
    </Modal>
  );
}

function Question({ campaign, onClose }: { campaign: CampaignView; onClose: () => void }) {
  const currentSite = useCurrentSite();
  const { begin } = useUndoWindow();
  const confirmAbove = useConfirmAbove();
  const ask = useAskToSend(campaign, onClose);
  const segment = useSegment(campaign.segment)?.name;
  const meanwhile = useMeanwhile(campaign);
  // A refusal of the send appears here, before the ten seconds in which it can be undone.
  const send = useMutation({
    mutationFn: () => begin(campaign.campaignId, { updatedAt: campaign.updatedAt }),
    onSuccess: onClose,
  });
  const size = useQuery({ ...audienceQuery(currentSite, campaign), staleTime: 0 });
  if (size.error !== null) return <ErrorState error={size.error} onRetry={() => void size.refetch()} />;
  if (size.data === undefined || !size.isFetchedAfterMount || confirmAbove === undefined)
    return <LoadingState label={words.compose.countingTheAudience} />;
  const { audience, exact, proven, alone = proven, shut } = size.data;
  const isBusy = send.isPending || ask.isPending;
  const isRefused = shut.length > 0 || (meanwhile !== undefined && !isBusy);
  const isLarge = wantsSecondPerson(confirmAbove, alone);
  return (
    <Stack>
      <NudgeToSend campaign={campaign} />
      <Text size="sm">
        {sayAudience(campaign, segment, { people: <b>{people(audience, exact)}</b>, site: currentSite.site.name })}{" "}
        {isLarge && alone > proven && `${words.compose.sendSumHint} `}
        {isLarge ? words.compose.sendApprovalHint({ people: people(confirmAbove ?? 0) }) : words.compose.takeBackHint}
      </Text>
      <Forecast campaign={campaign} />
      <DecisionNow campaign={campaign} />
      <ShutGates shut={shut} />
      {meanwhile !== undefined && !isBusy && send.error === null && ask.error === null && (
        <Meanwhile what={meanwhile} />
      )}
      <FormError error={ask.error ?? send.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {words.compose.notYet}
        </Button>
        {isLarge ? (
          <Button
            leftSection={<Icon name="members" size={16} />}
            loading={ask.isPending}
            disabled={isRefused}
            onClick={() => ask.mutate(null)}
            data-autofocus
          >
            {words.compose.askASecondPerson}
          </Button>
        ) : (
          <Button
            leftSection={<Icon name="send" size={16} />}
            loading={send.isPending}
            disabled={isRefused}
            onClick={() => send.mutate()}
            data-autofocus
          >
            {words.compose.sendTo({ people: people(audience, exact) })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Returns the campaign's audience as a sentence. `segment`: the name of its segment, or undefined. */
function sayAudience(
  { topicIds, followersOf }: CampaignView,
  segment: string | undefined,
  of: { people: ReactNode; site: string },
): ReactNode {
  const { itGoesTo, itGoesToThose, whoChoseTheseTopics, whoFollow, whoAreInTheSegment } = words.compose;
  const conditions = [
    ...(topicIds.length > 0 ? [whoChoseTheseTopics] : []),
    ...(followersOf !== null ? [whoFollow({ story: <bdi>{followersOf}</bdi> })] : []),
    ...(segment !== undefined ? [whoAreInTheSegment({ segment: <bdi>{segment}</bdi> })] : []),
  ];
  return conditions.length === 0 ? itGoesTo(of) : itGoesToThose({ ...of, who: listed(conditions) });
}

/** Returns the parts as a list, joined with the language's "and". */
function listed(parts: ReactNode[]): ReactNode {
  const joined = new Intl.ListFormat(language).formatToParts(Object.keys(parts));
  return joined.map(({ type, value }) => (
    <Fragment key={value}>{type === "element" ? parts[Number(value)] : value}</Fragment>
  ));
}
