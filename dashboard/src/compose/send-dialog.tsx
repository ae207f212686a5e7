import { Alert, Box, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { CampaignView } from "../api/calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { people } from "../components/numbers.ts";
import { ErrorState, LoadingState } from "../components/states.tsx";
import { usePendingSend } from "../layout/pending-send.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { audienceQuery } from "./audience.tsx";
import { useAskToSend, useConfirmAbove, wantsSecondPerson } from "./use-second-person.ts";

/** The confirmation of a live send. It shows the number of people. */
export function SendDialog({ campaign, onClose }: { campaign: CampaignView | null; onClose: () => void }) {
  return (
    <Modal opened={campaign !== null} onClose={onClose} title={<b>Send this nudge?</b>} data-testid="send-dialog">
      {campaign !== null && <Question campaign={campaign} onClose={onClose} />}
    </Modal>
  );
}

function Question({ campaign, onClose }: { campaign: CampaignView; onClose: () => void }) {
  const currentSite = useCurrentSite();
  const { begin } = usePendingSend();
  const confirmAbove = useConfirmAbove();
  const ask = useAskToSend(campaign, onClose);
  // What refuses the send says so here, before the ten seconds.
  const send = useMutation({ mutationFn: () => begin(campaign.campaignId), onSuccess: onClose });
  const size = useQuery({ ...audienceQuery(currentSite, campaign), staleTime: 0 });
  if (size.error !== null) return <ErrorState error={size.error} onRetry={() => void size.refetch()} />;
  if (size.data === undefined || size.isFetching || confirmAbove === undefined)
    return <LoadingState label="Counting the audience" />;
  const { audience, exact, proven, alone = proven } = size.data;
  const isLarge = wantsSecondPerson(confirmAbove, alone);
  const title = campaign.title ?? "";
  return (
    <Stack>
      <Box p="md" bg="var(--page)" style={{ borderRadius: 12 }}>
        <Text fw={600} dir="auto">
          {title}
        </Text>
        <Text size="sm" dir="auto">
          {campaign.body}
        </Text>
      </Box>
      <Text size="sm">
        It goes to <b>{people(audience, exact)}</b> of {currentSite.site.name}
        {campaign.topicIds.length > 0 ? " who chose these topics" : ""}.{" "}
        {isLarge && alone > proven && "With what you send within an hour of it, you would reach more. "}
        {isLarge
          ? `Above ${people(confirmAbove ?? 0)} a second person has to approve it: it waits until another editor or owner does.`
          : "You have 10 seconds to take it back, and can stop it at any time after that."}
      </Text>
      {campaign.decision?.decision === "skip" && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
          Pressbell advises against this story. See the reasons beside its address.
        </Alert>
      )}
      <FormError error={ask.error ?? send.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Not yet
        </Button>
        {isLarge ? (
          <Button
            leftSection={<Icon name="members" size={16} />}
            loading={ask.isPending}
            onClick={() => ask.mutate(null)}
            data-autofocus
          >
            Ask a second person
          </Button>
        ) : (
          <Button
            leftSection={<Icon name="send" size={16} />}
            loading={send.isPending}
            onClick={() => send.mutate()}
            data-autofocus
          >
            Send to {people(audience, exact)}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
