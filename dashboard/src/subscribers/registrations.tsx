import { Button, Checkbox, Group, Paper, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteRegistered, type HourOfRegistrations, registrations } from "../api/subscriber-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { count, people } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { Moment } from "../components/times.tsx";
import { localIn, momentAt } from "../compose/zone-time.ts";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const hourMs = 3_600_000;
const shownHours = 8;

/** Returns the query of the hours with the most new readers. */
export const registrationsQuery = ({ tenantId, siteId }: CurrentSite) => ({
  queryKey: ["registrations", siteId],
  queryFn: () => registrations(tenantId, siteId),
});

/** The hours with the most new readers, and a form that deletes the readers of a period, for false registrations. */
export function Registrations() {
  const query = useQuery(registrationsQuery(useCurrentSite()));
  return (
    <Paper component="section" aria-label={words.subscribers.newReadersByHour}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.newReadersByHour}
      </Title>
      <Loaded of={query}>
        {({ hours }) => (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {words.subscribers.newReadersLead}
            </Text>
            {hours.length === 0 ? <Text size="sm">{words.subscribers.noNewReaders}</Text> : <Hours of={hours} />}
            <DeleteForm key={hours.find(({ isOutlier }) => isOutlier)?.at} hours={hours} />
          </Stack>
        )}
      </Loaded>
    </Paper>
  );
}

function Hours({ of }: { of: HourOfRegistrations[] }) {
  const { site } = useCurrentSite();
  const most = of.toSorted((a, b) => b.registered - a.registered).slice(0, shownHours);
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.subscribers.hourFrom}</Table.Th>
          <Table.Th ta="right">{words.subscribers.newReaders}</Table.Th>
          <Table.Th ta="right">{words.subscribers.ofThemNeverReached}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {most.map(({ at, registered, neverAccepted, isOutlier }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Moment at={at} timeZone={site.timeZone} />
            </Table.Td>
            <Table.Td ta="right" className="figures">
              {isOutlier ? (
                <b>{words.subscribers.farMoreThanUsual({ registered: count(registered) })}</b>
              ) : (
                count(registered)
              )}
            </Table.Td>
            <Table.Td ta="right" className="figures">
              {count(neverAccepted)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

type Period = { from: string; to: string; neverAccepted: boolean };

/** Returns the period of the hours that stand out. If no hour does, returns the present hour. */
function periodOf(hours: HourOfRegistrations[], timeZone: string): { from: string; to: string } {
  const outliers = hours.filter(({ isOutlier }) => isOutlier).map(({ at }) => Date.parse(at));
  const thisHour = Math.floor(Date.now() / hourMs) * hourMs;
  const [first = thisHour, last = first] = [outliers[0], outliers.at(-1)];
  return { from: localIn(timeZone, first), to: localIn(timeZone, last + hourMs) };
}

function DeleteForm({ hours }: { hours: HourOfRegistrations[] }) {
  const { tenantId, siteId, site } = useCurrentSite();
  const [local, setLocal] = useState(() => periodOf(hours, site.timeZone));
  const [neverAccepted, setNeverAccepted] = useState(true);
  const [found, setFound] = useState<(Period & { n: number }) | null>(null);
  const [from, to] = [momentAt(local.from, site.timeZone), momentAt(local.to, site.timeZone)];
  const look = useMutation({
    mutationFn: (period: Period) => deleteRegistered(tenantId, siteId, { ...period, dryRun: true }),
    onSuccess: ({ subscribers: n }, period) => setFound({ ...period, n }),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if ("iso" in from && "iso" in to) look.mutate({ from: from.iso, to: to.iso, neverAccepted });
      }}
    >
      <Stack gap="sm" align="flex-start">
        <FormError error={look.error} fields={["from", "to"]} />
        <Group align="flex-start">
          <TextInput
            type="datetime-local"
            label={words.subscribers.subscribedFrom}
            value={local.from}
            onChange={(event) => setLocal({ ...local, from: event.currentTarget.value })}
            error={"fault" in from ? from.fault : faultIn(look.error, "from")}
          />
          <TextInput
            type="datetime-local"
            label={words.subscribers.untilBefore}
            value={local.to}
            onChange={(event) => setLocal({ ...local, to: event.currentTarget.value })}
            error={"fault" in to ? to.fault : faultIn(look.error, "to")}
          />
        </Group>
        <Checkbox
          label={words.subscribers.onlyNeverReached}
          checked={neverAccepted}
          onChange={(event) => setNeverAccepted(event.currentTarget.checked)}
        />
        <Button type="submit" variant="default" color="red" loading={look.isPending}>
          {words.subscribers.deleteReadersOfThisPeriod}
        </Button>
      </Stack>
      <DeleteDialog found={found} onClose={() => setFound(null)} />
    </form>
  );
}

function DeleteDialog({ found, onClose }: { found: (Period & { n: number }) | null; onClose: () => void }) {
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  return (
    <Confirm
      opened={found !== null}
      onClose={onClose}
      title={words.subscribers.deleteReadersTitle({ value: people(found?.n ?? 0) })}
      action={words.subscribers.deleteReadersConfirm}
      act={async () => {
        const { n: _, ...period } = found!;
        const next = () => deleteRegistered(tenantId, siteId, { ...period, dryRun: false });
        while ((await next()).hasMore);
        await queries.invalidateQueries();
      }}
    >
      {words.subscribers.deleteReadersWarning}
    </Confirm>
  );
}
