import { Alert, Box, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { CampaignView } from "../api/calls.ts";
import { usePendingSend } from "../frame/pending-send.tsx";
import { usePlace } from "../frame/session.tsx";
import { Icon } from "../parts/icon.tsx";
import { people } from "../parts/numbers.ts";
import { ErrorState, LoadingState } from "../parts/states.tsx";
import { audienceQuery } from "./audience.tsx";

/** The last question before a live send: it names the number of people. */
export function SendDialog({ campaign, onClose }: { campaign: CampaignView | null; onClose: () => void }) {
  return (
    <Modal opened={campaign !== null} onClose={onClose} title={<b>Send this nudge?</b>} data-testid="send-dialog">
      {campaign !== null && <Question campaign={campaign} onClose={onClose} />}
    </Modal>
  );
}

function Question({ campaign, onClose }: { campaign: CampaignView; onClose: () => void }) {
  const place = usePlace();
  const { begin } = usePendingSend();
  const size = useQuery({ ...audienceQuery(place, campaign.topicIds), staleTime: 0 });
  if (size.error !== null) return <ErrorState error={size.error} onRetry={() => void size.refetch()} />;
  if (size.data === undefined || size.isFetching) return <LoadingState label="Counting the audience" />;
  const { audience, exact } = size.data;
  const { campaignId } = campaign;
  const title = campaign.title ?? "";
  const send = () => {
    const { tenantId, siteId } = place;
    begin({ tenantId, siteId, campaignId, title, audience, audienceExact: exact });
    onClose();
  };
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
        It goes to <b>{people(audience, exact)}</b> of {place.site.name}
        {campaign.topicIds.length > 0 ? " who chose these topics" : ""}. You have 10 seconds to take it back, and can
        stop it at any time after that.
      </Text>
      {campaign.decision?.decision === "skip" && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
          Pressbell advises against this story. See the reasons beside its address.
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Not yet
        </Button>
        <Button leftSection={<Icon name="send" size={16} />} onClick={send} data-autofocus>
          Send to {people(audience, exact)}
        </Button>
      </Group>
    </Stack>
  );
}
