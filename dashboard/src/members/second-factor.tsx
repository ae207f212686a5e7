import { Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeTenant, tenant } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { Loaded } from "../components/states.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The switch with which owners require a second factor of the publisher's members. */
export function SecondFactor() {
  const { tenantId, isOwner } = useCurrentSite();
  const query = useQuery({ queryKey: ["tenant", tenantId], queryFn: () => tenant(tenantId) });
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (requiresSecondFactor: boolean) =>
      withRecentSignIn(() => changeTenant(tenantId, { requiresSecondFactor })),
    onError: (error) => notifications.show({ color: "red", message: toApiError(error).message }),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Paper component="section" aria-label={words.pages.secondFactor}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {words.pages.secondFactor}
        </Title>
        <Text size="sm" c="dimmed">
          {words.pages.secondFactorHint}
        </Text>
        <Loaded of={query}>
          {({ requiresSecondFactor }) => (
            <Switch
              label={words.pages.secondFactorSwitch}
              disabled={!isOwner || save.isPending}
              checked={requiresSecondFactor}
              onChange={(event) => save.mutate(event.currentTarget.checked)}
            />
          )}
        </Loaded>
      </Stack>
    </Paper>
  );
}
