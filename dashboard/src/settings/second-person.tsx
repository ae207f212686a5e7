import { Button, Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeTenant, type TenantSettings } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { useEdits } from "./use-edits.ts";

const defaultPeople = 1_000;

/** The audience above which a send needs the approval of a second person. */
export function SecondPerson({ settings }: { settings: TenantSettings }) {
  const { tenantId, isOwner } = useCurrentSite();
  const { input, write, snapshot } = useEdits<{ people: number | "" | null }>({ people: settings.confirmAbove });
  const { people } = input;
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => withRecentSignIn(() => changeTenant(tenantId, { confirmAbove: people === "" ? 0 : people })),
    async onSuccess() {
      await queries.invalidateQueries();
      notifications.show({ color: "green", message: words.settings.saved });
    },
  });
  return (
    <Paper component="section" aria-label={words.settings.aSecondPerson}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined, { onSuccess: snapshot() });
        }}
      >
        <Stack>
          <div>
            <Title order={2} size="h4">
              {words.settings.aSecondPerson}
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              {words.settings.secondPersonLead}
            </Text>
          </div>
          <FormError error={save.error} fields={["confirmAbove"]} />
          <Switch
            label={words.settings.secondPersonSwitch}
            disabled={!isOwner}
            checked={people !== null}
            onChange={(event) => write({ people: event.currentTarget.checked ? defaultPeople : null })}
          />
          {people !== null && (
            <WholeNumber
              label={words.settings.secondPersonThreshold}
              maw={220}
              disabled={!isOwner}
              value={people === "" ? null : people}
              write={(value) => write({ people: value ?? "" })}
              error={faultIn(save.error, "confirmAbove")}
            />
          )}
          {people !== null && settings.senders < 2 && (
            <Text size="sm" c="var(--status-orange)">
              {words.settings.secondPersonMissing}
            </Text>
          )}
          {isOwner && (
            <Group>
              <Button type="submit" variant="default" loading={save.isPending}>
                {words.settings.saveThis}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
