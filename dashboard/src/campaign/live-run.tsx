import { Button, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type RunView, runFile, type SendFacts, stopRun } from "../api/calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { Icon } from "../components/icon.tsx";
import { count, people, share } from "../components/numbers.ts";
import { OutcomeBar, outcomes } from "../components/outcome-bar.tsx";
import { nameOfPushService } from "../components/push-service-names.ts";
import { Said } from "../components/said.tsx";
import { ErrorState, LoadingState } from "../components/states.tsx";
import { lasted, momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { HeadlineTest } from "./headline-test.tsx";
import { PushServices } from "./push-services.tsx";
import { Receipts } from "./receipts.tsx";
import { SentBy } from "./sent-by.tsx";
import { useLiveRun, useSendFacts } from "./use-live-run.ts";
import { Waves } from "./waves.tsx";

/**
 * The progress and the counts of a run, updated live, and the button that stops it. `ttlSeconds`: that of its
 * campaign.
 */
export function LiveRun({
  runId,
  campaignId,
  ttlSeconds,
}: Record<"runId" | "campaignId", string> & { ttlSeconds: number }) {
  const { run, isLost, error } = useLiveRun(runId);
  const facts = useSendFacts(campaignId, run);
  if (run === undefined) return error === null ? <LoadingState /> : <ErrorState error={error} />;
  return (
    <Stack gap="lg">
      <Progress run={run} isLost={isLost} ttlSeconds={ttlSeconds} facts={facts} />
      {run.headlineTest && <HeadlineTest test={run.headlineTest} runId={run.runId} />}
      {run.waves && <Waves waves={run.waves} localTime={run.localTime!} />}
      <Receipts run={run} facts={facts} />
      <Reasons run={run} />
      {facts !== undefined && <PushServices pushServices={facts.pushServices} />}
    </Stack>
  );
}

function Progress(props: { run: RunView; isLost: boolean; ttlSeconds: number; facts: SendFacts | undefined }) {
  const { run, isLost, ttlSeconds, facts } = props;
  return (
    <Paper component="section" aria-label={words.campaign.progress} data-status={run.status}>
      <Stack gap="md">
        <Group justify="space-between">
          <div>
            <Title order={2} size="h4" aria-live="polite">
              {run.heldBy === null ? words.campaign.statuses[run.status] : words.campaign.paused}
            </Title>
            <Text size="sm" c="dimmed" className="figures">
              {progressOf(run)}
            </Text>
            {run.startedAt !== null && <Times startedAt={run.startedAt} run={run} />}
            {facts !== undefined && (
              <Text size="sm" c="dimmed">
                <SentBy facts={facts} />
              </Text>
            )}
          </div>
          <StopButton run={run} />
        </Group>
        <OutcomeBar run={run} size="lg" />
        {run.heldBy !== null && <Pause run={run} ttlSeconds={ttlSeconds} />}
        {isLost && (
          <Text size="sm" role="status">
            {words.campaign.connectionWasLost}
          </Text>
        )}
        <Counts run={run} />
      </Stack>
    </Paper>
  );
}

/**
 * Returns the progress of an open run, or how many people a finished run has reached. Unsent messages count as
 * neither.
 */
function progressOf({ audience, pending, notSent, accepted, finishedAt }: RunView): string {
  const done = finishedAt === null ? audience - pending - notSent : accepted;
  const values = { done: count(done), people: people(audience), share: share(done, audience) };
  return finishedAt === null ? words.campaign.doneOf(values) : words.campaign.endedWith(values);
}

/**
 * The time at which a run began, to the second, and its duration. With local-time delivery, it is the time for the
 * first readers.
 */
function Times({ startedAt, run: { finishedAt, waves } }: { startedAt: string; run: RunView }) {
  const { timeZone } = useCurrentSite().site;
  const moment = momentIn(timeZone, startedAt, { seconds: true });
  const when = waves === undefined ? moment : words.campaign.firstReadersStart({ when: moment });
  const said =
    finishedAt === null
      ? words.campaign.began({ when })
      : words.campaign.beganAndTook({ when, lasted: lasted(Date.parse(finishedAt) - Date.parse(startedAt)) });
  return (
    <Text size="sm" c="dimmed" className="figures">
      {said}
    </Text>
  );
}

function Pause({ run, ttlSeconds }: { run: RunView; ttlSeconds: number }) {
  const { site } = useCurrentSite();
  const startMs = run.startedAt === null ? Date.now() : Date.parse(run.startedAt);
  const end = momentIn(site.timeZone, new Date(startMs + ttlSeconds * 1_000).toISOString());
  const { publisherIsPaused, siteIsPaused, afterTheirHour } = words.campaign;
  const until = run.waves === undefined ? end : afterTheirHour({ lasted: lasted(ttlSeconds * 1_000) });
  return <Text size="sm">{(run.heldBy === "tenant_paused" ? publisherIsPaused : siteIsPaused)({ end: until })}</Text>;
}

function Counts({ run }: { run: RunView }) {
  const shown = outcomes.filter(({ name }) => name === "accepted" || run[name] > 0);
  return (
    <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="md" component="dl" m={0}>
      {shown.map(({ name }) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {words.components.outcomes[name].label}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="figures" data-count={name}>
            {count(run[name])}
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {words.components.outcomes[name].explanation}
          </Text>
        </div>
      ))}
      {run.repeated > 0 && (
        <div>
          <Text component="dt" size="sm" c="dimmed">
            {words.campaign.repeated}
          </Text>
          <Text component="dd" m={0} fz={22} fw={650} className="figures">
            {count(run.repeated)}
          </Text>
        </div>
      )}
    </SimpleGrid>
  );
}

function StopButton({ run }: { run: RunView }) {
  const { tenantId, canEdit } = useCurrentSite();
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const isOpen = run.status === "queued" || run.status === "sending";
  if (!canEdit || !(isOpen || isConfirming)) return null;
  return (
    <>
      <Button color="red.9" leftSection={<Icon name="stop" size={16} />} onClick={() => setConfirming(true)}>
        {words.campaign.stop}
      </Button>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.campaign.stopThisSend}
        action={words.campaign.stopIt}
        act={async () => {
          await stopRun(tenantId, run.runId);
          await queries.invalidateQueries();
        }}
      >
        {words.campaign.stopWarning}
      </Confirm>
    </>
  );
}

function Reasons({ run }: { run: RunView }) {
  const { tenantId } = useCurrentSite();
  const isOver = run.finishedAt !== null;
  if (!isOver && run.reasons.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.campaign.outcomes}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {isOver ? words.campaign.notReachedReasons : words.campaign.waitReasons}
        </Title>
        <Button
          component="a"
          variant="default"
          size="compact-md"
          href={runFile(tenantId, run.runId)}
          download
          leftSection={<Icon name="download" size={16} />}
        >
          {words.campaign.csv}
        </Button>
      </Group>
      {run.reasons.length === 0 ? (
        <Text size="sm" c="dimmed">
          {words.campaign.allAccepted}
        </Text>
      ) : (
        <Table verticalSpacing="xs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.campaign.reason}</Table.Th>
              <Table.Th w={110}>{words.campaign.pushService}</Table.Th>
              <Table.Th w={90} ta="right">
                {words.campaign.people}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {run.reasons.map(({ reason, pushService, count: n, said, ...sentence }) => (
              <Table.Tr key={`${pushService} ${reason}`}>
                <Table.Td>
                  <Said of={sentence} />
                  {said !== undefined && (
                    <Text size="sm" c="dimmed">
                      {words.campaign.pushServiceSaid({ said })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{pushService === "none" ? "–" : nameOfPushService(pushService)}</Table.Td>
                <Table.Td ta="right">{count(n)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
