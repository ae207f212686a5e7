import { Button, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { requireRecentSignIn, type Subscribers, subscribersFile } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { Icon } from "../components/icon.tsx";
import { count, people, share } from "../components/numbers.ts";
import { Page } from "../components/page.tsx";
import { nameOfPushService } from "../components/push-service-names.ts";
import { download } from "../components/save-file.ts";
import { Loaded } from "../components/states.tsx";
import { useFollowedKeys } from "../compose/use-followed-keys.ts";
import { useSegments } from "../compose/use-segments.ts";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { Followed } from "../subscribers/followed.tsx";
import { ImportFile } from "../subscribers/import-file.tsx";
import { KeyPair } from "../subscribers/key-pair.tsx";
import { Migrated } from "../subscribers/migrated.tsx";
import { RefusedSubscribers, refusedQuery } from "../subscribers/refused-subscribers.tsx";
import { Registrations, registrationsQuery } from "../subscribers/registrations.tsx";
import { Segments } from "../subscribers/segments.tsx";
import { TestDevices } from "../subscribers/test-devices.tsx";
import { Topics } from "../subscribers/topics.tsx";
import { UnseenSubscribers } from "../subscribers/unseen-subscribers.tsx";
import { words } from "../words/words.ts";

export function SubscribersPage() {
  const currentSite = useCurrentSite();
  const { isOwner } = currentSite;
  const query = useSubscribers();
  // These are read at the same time as the subscribers, although their sections are shown after them.
  useSegments();
  useFollowedKeys("");
  useQuery({ ...registrationsQuery(currentSite), enabled: isOwner });
  useQuery({ ...refusedQuery(currentSite), enabled: isOwner });
  const lead = query.data && words.pages.subscribersLead({ people: people(query.data.reachable, query.data.exact) });
  return (
    <Page title={words.pages.subscribers} lead={lead} actions={isOwner ? <Export /> : undefined}>
      <Loaded of={query}>
        {(data) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <PushServices data={data} />
              <Topics data={data} />
            </SimpleGrid>
            <Segments data={data} />
            <Followed />
            {data.migrateSubscriptions && <Migrated migrateSubscriptions={data.migrateSubscriptions} />}
            <TestDevices data={data} />
            {isOwner && <Registrations />}
            {isOwner && <ImportFile />}
            {isOwner && <RefusedSubscribers />}
            {isOwner && <UnseenSubscribers reachable={data.reachable} />}
            {isOwner && <KeyPair data={data} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * The button that exports the subscribers. The browser downloads the file itself, because a large file may not fit
 * into the memory of a script.
 */
function Export() {
  const { tenantId, siteId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const save = useMutation({
    mutationFn: () => withRecentSignIn(requireRecentSignIn),
    onSuccess: () => download(subscribersFile(tenantId, siteId)),
    onError: (error) => notifications.show({ color: "red", message: toApiError(error).message }),
  });
  return (
    <Button
      variant="default"
      loading={save.isPending}
      onClick={() => save.mutate()}
      leftSection={<Icon name="download" size={16} />}
    >
      {words.pages.exportIt}
    </Button>
  );
}

function PushServices({ data: { pushServices, reachable } }: { data: Subscribers }) {
  return (
    <Paper component="section" aria-label={words.pages.byPushService}>
      <Title order={2} size="h4" mb="md">
        {words.pages.byPushService}
      </Title>
      {pushServices.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.pages.noSubscribersYet}
        </Text>
      )}
      <Stack gap="md">
        {pushServices.map(({ pushService, n }) => (
          <div key={pushService}>
            <Group justify="space-between" mb={4} wrap="nowrap">
              <Text size="sm" truncate miw={0}>
                {nameOfPushService(pushService)}
              </Text>
              <Text size="sm" className="figures">
                {count(n)}{" "}
                <Text component="span" c="dimmed">
                  {share(n, reachable)}
                </Text>
              </Text>
            </Group>
            <Progress value={(100 * n) / reachable} size="sm" aria-hidden="true" />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
