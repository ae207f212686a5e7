import { Button, Group, NumberInput, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeTenant, type TenantSettings } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { useEdits } from "./use-edits.ts";

const defaultPeople = 1_000;

/** The audience above which a send needs the approval of a second person. */
export function SecondPerson({ settings }: { settings: TenantSettings }) {
  const { tenantId, isOwner } = useCurrentSite();
  const { input, write, snapshot } = useEdits<{ people: number | "" | null }>({ people: settings.confirmAbove });
  const { people } = input;
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => changeTenant(tenantId, { confirmAbove: people === "" ? 0 : people }),
    async onSuccess() {
      notifications.show({ color: "green", message: "Saved." });
      await queries.invalidateQueries();
    },
  });
  return (
    <Paper component="section" aria-label="A second person">
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
              A second person
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              What goes to more people waits until another editor or owner approves it; what one person sends within an
              hour counts together. This holds for what is sent and scheduled here; API keys and feeds are not asked.
              Look at the feeds whose override is on: from then on only owners turn it on.
            </Text>
          </div>
          <FormError error={save.error} fields={["confirmAbove"]} />
          <Switch
            label="Large sends want a second person"
            disabled={!isOwner}
            checked={people !== null}
            onChange={(event) => write({ people: event.currentTarget.checked ? defaultPeople : null })}
          />
          {people !== null && (
            <NumberInput
              label="Above so many people"
              maw={220}
              min={0}
              max={1_000_000}
              allowDecimal={false}
              allowNegative={false}
              hideControls
              thousandSeparator=","
              disabled={!isOwner}
              value={people}
              onChange={(value) => write({ people: value === "" ? "" : Number(value) })}
              error={faultIn(save.error, "confirmAbove")}
            />
          )}
          {people !== null && settings.senders < 2 && (
            <Text size="sm" c="var(--status-orange)">
              There is nobody to be the second person yet: invite an editor under Members.
            </Text>
          )}
          {isOwner && (
            <Group>
              <Button type="submit" variant="default" loading={save.isPending}>
                Save this
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Paper>
  );
}
