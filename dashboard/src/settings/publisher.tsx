import { Button, Group, Paper, Progress, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeTenant, type TenantSettings } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { count, people, plural } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { useEdits } from "./use-edits.ts";

/** The name of the publisher, its plan and its usage. */
export function Publisher({ settings }: { settings: TenantSettings }) {
  return (
    <Paper component="section" aria-label="Publisher">
      <Stack>
        <Title order={2} size="h4">
          Publisher
        </Title>
        <Name settings={settings} />
        <Plan usage={settings.usage} />
      </Stack>
    </Paper>
  );
}

function Name({ settings }: { settings: TenantSettings }) {
  const { tenantId, isOwner } = useCurrentSite();
  const { input, write, snapshot } = useEdits({ name: settings.name });
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: () => changeTenant(tenantId, input),
    async onSuccess() {
      notifications.show({ color: "green", message: "Saved." });
      await queries.invalidateQueries();
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate(undefined, { onSuccess: snapshot() });
      }}
    >
      <FormError error={rename.error} fields={["name"]} />
      <Group align="flex-start" gap="xs">
        <TextInput
          label="Name of the publisher"
          flex="1 1 220px"
          disabled={!isOwner}
          value={input.name}
          onChange={(event) => write({ name: event.currentTarget.value })}
          error={faultIn(rename.error, "name")}
        />
        {isOwner && (
          <Button type="submit" variant="default" loading={rename.isPending} mt={25}>
            Rename
          </Button>
        )}
      </Group>
    </form>
  );
}

/** The only limit of a plan is the audience of a send. The rest is the usage of this month. */
function Plan({ usage: { plan, audienceCap, month } }: { usage: TenantSettings["usage"] }) {
  const used = `${plural(month.sends, "send")} this month, ${plural(month.accepted, "message")} taken by push services.`;
  const largest = `The largest went to ${people(month.largestAudience)}`;
  return (
    <div>
      <Text size="sm">
        Plan <b>{plan}</b>:{" "}
        {audienceCap === null ? "a send may go to any number of people." : `a send may go to ${people(audienceCap)}.`}
      </Text>
      <Text size="sm" c="dimmed">
        {used}{" "}
        {month.sends > 0 &&
          `${largest}${audienceCap === null ? "." : ` of ${count(audienceCap)} that the plan allows.`}`}
      </Text>
      {audienceCap !== null && audienceCap > 0 && (
        <Progress
          mt="xs"
          value={Math.min(100, (100 * month.largestAudience) / audienceCap)}
          aria-label="The largest send of the month, of what the plan allows"
        />
      )}
    </div>
  );
}
