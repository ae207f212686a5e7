import { Button, Group, Paper, Progress, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changeTenant, type TenantSettings } from "../api/calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { count, people } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { useEdits } from "./use-edits.ts";

/** The name of the publisher, its plan and its usage. */
export function Publisher({ settings }: { settings: TenantSettings }) {
  return (
    <Paper component="section" aria-label={words.settings.publisher}>
      <Stack>
        <Title order={2} size="h4">
          {words.settings.publisher}
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
      await queries.invalidateQueries();
      notifications.show({ color: "green", message: words.settings.saved });
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
          label={words.settings.nameOfThePublisher}
          flex="1 1 220px"
          disabled={!isOwner}
          value={input.name}
          onChange={(event) => write({ name: event.currentTarget.value })}
          error={faultIn(rename.error, "name")}
        />
        {isOwner && (
          <Button type="submit" variant="default" loading={rename.isPending} mt={25}>
            {words.settings.rename}
          </Button>
        )}
      </Group>
    </form>
  );
}

/** The plan and its usage. A plan limits only the audience of a send. The other figures are the usage of this month. */
function Plan({ usage: { plan, audienceCap, month } }: { usage: TenantSettings["usage"] }) {
  const used = words.settings.usageThisMonth({ sends: month.sends, accepted: month.accepted });
  const largestAudience = people(month.largestAudience);
  const largest =
    audienceCap === null
      ? words.settings.largestSend({ largestAudience })
      : words.settings.largestSendOfPlan({ largestAudience, audienceCap: count(audienceCap) });
  return (
    <div>
      <Text size="sm">
        {audienceCap === null
          ? words.settings.planForAll({ plan: <b>{plan}</b> })
          : words.settings.planFor({ plan: <b>{plan}</b>, audienceCap: people(audienceCap) })}
      </Text>
      <Text size="sm" c="dimmed">
        {used} {month.sends > 0 && largest}
      </Text>
      {audienceCap !== null && audienceCap > 0 && (
        <Progress
          mt="xs"
          value={Math.min(100, (100 * month.largestAudience) / audienceCap)}
          aria-label={words.settings.largestSendMeter}
        />
      )}
    </div>
  );
}
