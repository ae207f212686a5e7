import { Group, Paper, SegmentedControl, SimpleGrid, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type Overview, type PeriodSums, period } from "../api/calls.ts";
import { count, countOf, plural, share } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { type PeriodDays, periods } from "./periods.ts";

const GrowthChart = lazy(() => import("../components/growth-chart.tsx"));

/** Queries the period that the address names; by default 30 days. */
function usePeriod() {
  const { tenantId, siteId } = useCurrentSite();
  const { days = 30 } = useSearch({ strict: false }) as { days?: PeriodDays };
  const query = useQuery({
    queryKey: ["period", siteId, days],
    queryFn: () => period(tenantId, siteId, days),
    refetchInterval: days > 30 ? 300_000 : 60_000,
    placeholderData: keepPreviousData,
  });
  return { query, days };
}

/** The figures of a period, compared with the one before. */
export function PeriodFigures({ data }: { data: Overview }) {
  const { query } = usePeriod();
  return (
    <Loaded of={query}>
      {({ now, before, days }) => <Figures data={data} now={now} before={before} days={days.length} />}
    </Loaded>
  );
}

/** Who came and who left in a period, by day, and the choice of the period. */
export function Growth() {
  const { query, days } = usePeriod();
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Who came and who left
        </Title>
        <Choice days={days} />
      </Group>
      <Suspense fallback={<div style={{ height: 236 }} />}>
        {query.data === undefined ? <div style={{ height: 236 }} /> : <GrowthChart days={query.data.days} />}
      </Suspense>
    </Paper>
  );
}

function Choice({ days }: { days: PeriodDays }) {
  const { siteId } = useCurrentSite();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Period"
      data={periods.map((one) => ({ value: String(one), label: one === 365 ? "1 year" : `${one} days` }))}
      value={String(days)}
      onChange={(value) =>
        void navigate({
          ...{ to: "/sites/$siteId", params: { siteId }, replace: true },
          search: { days: Number(value) as PeriodDays },
        })
      }
    />
  );
}

function Figures(props: { data: Overview; now: PeriodSums; before: PeriodSums; days: number }) {
  const { data, now, before, days } = props;
  const against = (name: keyof PeriodSums) => compared(now[name], before[name], days);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: "xs", sm: "md" }}>
      <Figure label="Reachable subscribers" value={countOf(data.reachable, data.reachableExact)}>
        {plural(data.testDevices, "test device")} besides
      </Figure>
      <Figure label={`Joined in ${days} days`} value={`+${count(now.joined)}`} before={against("joined")}>
        {now.left === 0 ? "None was found gone" : `${plural(now.left, "was", "were")} found gone`}
      </Figure>
      <Figure label="Nudges sent" value={count(now.sends)} before={against("sends")}>
        {plural(now.reached, "message")} taken
      </Figure>
      <Figure label="Clicks" value={count(now.clicked)} before={against("clicked")}>
        {share(now.clicked, now.reached)} of those reached
      </Figure>
    </SimpleGrid>
  );
}

/** How a figure stands against that of the period before, such as "+12% against the 30 days before". */
function compared(now: number, before: number, days: number): string {
  if (before === 0) return now === 0 ? "" : `None in the ${days} days before`;
  const percent = Math.round((100 * (now - before)) / before);
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return `${sign}${count(Math.abs(percent))}% against the ${days} days before`;
}

function Figure(props: { label: string; value: string; before?: string; children: React.ReactNode }) {
  return (
    <Paper>
      <Text size="sm" c="dimmed" fw={500}>
        {props.label}
      </Text>
      <Text className="figures" fz={{ base: 24, sm: 30 }} fw={650} lh={1.25} lts="-0.02em">
        {props.value}
      </Text>
      <Text size="sm" c="dimmed">
        {props.children}
      </Text>
      {props.before && (
        <Text size="xs" c="dimmed" mt={4} className="figures" data-compared>
          {props.before}
        </Text>
      )}
    </Paper>
  );
}
