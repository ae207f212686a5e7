import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endOtherSessions, endSession, type SessionView, sessions } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { Loaded } from "../components/states.tsx";
import { fromNow } from "../components/times.tsx";
import { words } from "../words/words.ts";
import { deviceOf } from "./device.ts";

const key = ["sessions"];

/** The sessions in which the person is signed in, each with a button to end it. */
export function Sessions() {
  const query = useQuery({ queryKey: key, queryFn: sessions });
  const queries = useQueryClient();
  const onError = (error: unknown) => notifications.show({ color: "red", message: toApiError(error).message });
  const onSettled = () => queries.invalidateQueries({ queryKey: key });
  const end = useMutation({ mutationFn: endSession, onError, onSettled });
  const endOthers = useMutation({ mutationFn: endOtherSessions, onError, onSettled });
  return (
    <Paper component="section" aria-label={words.account.sessionsTitle} maw={640}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {words.account.sessionsTitle}
          </Title>
          <Text size="sm" c="dimmed">
            {words.account.sessionsLead}
          </Text>
        </div>
        <Loaded of={query}>
          {({ data }) => (
            <>
              {data.map((session) => (
                <Device
                  key={session.sessionId}
                  session={session}
                  isEnding={end.isPending && end.variables === session.sessionId}
                  onEnd={() => end.mutate(session.sessionId)}
                />
              ))}
              {data.length > 1 && (
                <Group>
                  <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
                    {words.account.signOutAllOthers}
                  </Button>
                </Group>
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Paper>
  );
}

function Device(props: { session: SessionView; isEnding: boolean; onEnd: () => void }) {
  const { session, isEnding, onEnd } = props;
  const device = deviceOf(session.userAgent);
  return (
    <Group justify="space-between" wrap="nowrap" data-session={session.sessionId}>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {device}
          </Text>
          {session.isCurrent && <Badge variant="light">{words.account.currentSession}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {words.account.sessionDates({ used: fromNow(session.usedAt), ends: fromNow(session.endsAt) })}
        </Text>
      </div>
      {!session.isCurrent && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          loading={isEnding}
          aria-label={words.account.signOutLabel({ device, used: fromNow(session.usedAt) })}
          onClick={onEnd}
        >
          {words.account.signOut}
        </Button>
      )}
    </Group>
  );
}
