import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Drill, DrillResult, DrillStep } from "../../../src/automations/drill/drill.ts";
import { runDrill } from "../api/drill-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { Said } from "../components/said.tsx";
import { Moment } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const drillSteps = ["planned", "sent", "accepted", "displayed"] as const satisfies DrillStep[];

/** The result of the site's last fire drill, and a button that begins one. */
export function LastDrill({ drill }: { drill: Drill }) {
  const { tenantId, siteId, isOwner } = useCurrentSite();
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: () => runDrill(tenantId, siteId),
    onSuccess: () => queries.invalidateQueries(),
  });
  if (drill.canaryId === null) return null;
  const isRunning = drill.last !== null && drill.last.endedAt === null;
  return (
    <Stack gap="xs">
      {drill.last !== null && <Steps last={drill.last} hasFailed={drill.failure !== null} />}
      {drill.failure !== null && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
          <Said of={drill.failure} />
        </Alert>
      )}
      <FormError error={run.error} />
      {isOwner && (
        <Group>
          <Button variant="default" disabled={isRunning} loading={run.isPending} onClick={() => run.mutate()}>
            {words.settings.drill.runNow}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Steps({ last, hasFailed }: { last: DrillResult; hasFailed: boolean }) {
  const { site } = useCurrentSite();
  const { running, passed, failed, steps, after, notReached, notReported } = words.settings.drill;
  const result = last.endedAt === null ? running : hasFailed ? failed : passed;
  return (
    <div>
      <Text size="sm" fw={600} role="status">
        <Moment at={last.startedAt} timeZone={site.timeZone} />
        {": "}
        {result}
      </Text>
      <List size="sm" aria-label={words.settings.drill.stepsAre}>
        {drillSteps.map((step) => {
          const seconds = last.seconds[step];
          const absent = step === "displayed" && !last.expectsDisplay ? notReported : notReached;
          return (
            <List.Item key={step}>
              {steps[step]}: {seconds === null ? absent : after({ seconds })}
            </List.Item>
          );
        })}
      </List>
    </div>
  );
}
