import { Group, Paper, SegmentedControl, SimpleGrid, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { type Overview, type PeriodSums, period } from "../api/calls.ts";
import { count, countOf, share } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { type PeriodDays, periods } from "./periods.ts";

const GrowthChart = lazy(() => import("../components/growth-chart.tsx"));
const ReadersChart = lazy(() => import("./readers-chart.tsx"));
const ClicksChart = lazy(() => import("./clicks-chart.tsx"));

/** Queries the figures of the period in the address, by default 30 days. */
export function usePeriod() {
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

/** The figures of a period, compared with the period before. */
export function PeriodFigures({ data }: { data: Overview }) {
  const { query } = usePeriod();
  return (
    <Loaded of={query}>
      {({ now, before, days }) => <Figures data={data} now={now} before={before} days={days.length} />}
    </Loaded>
  );
}

/** The readers who joined and left in a period, by day, and the choice of the period. */
export function Growth() {
  const { query, days } = usePeriod();
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {words.overview.growthTitle}
        </Title>
        <Choice days={days} />
      </Group>
      <Chart>{query.data && <GrowthChart days={query.data.days} />}</Chart>
    </Paper>
  );
}

/** The number of readers at the end of each day of the period. */
export function Readers() {
  const { query } = usePeriod();
  return (
    <Paper component="section" aria-label={words.overview.readersInAll}>
      <Title order={2} size="h4" mb="sm">
        {words.overview.readersInAll}
      </Title>
      <Chart>{query.data && <ReadersChart days={query.data.days} />}</Chart>
    </Paper>
  );
}

/** The clicks on what was sent on each day of the period, and their share of the readers reached. */
export function Clicks() {
  const { query, days } = usePeriod();
  return (
    <Paper component="section" aria-label={words.overview.clicksAndRate}>
      <Title order={2} size="h4">
        {words.overview.clicksAndRate}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {days > 30 ? words.overview.clicksByWeekLead : words.overview.clicksByDayLead}
      </Text>
      <Chart height={320}>{query.data && <ClicksChart sent={query.data.sent} />}</Chart>
    </Paper>
  );
}

/** Reserves the height of a chart until the chart and its data are there. */
function Chart({ height = 236, children }: { height?: number; children: ReactNode }) {
  const place = <div style={{ height }} />;
  return <Suspense fallback={place}>{children ?? place}</Suspense>;
}

function Choice({ days }: { days: PeriodDays }) {
  const { siteId } = useCurrentSite();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.overview.period}
      data={periods.map((one) => ({
        value: String(one),
        label: one === 365 ? words.overview.aYear : words.overview.days({ one }),
      }))}
      value={String(days)}
      onChange={(value) =>
        void navigate({
          to: "/sites/$siteId",
          params: { siteId },
          replace: true,
          resetScroll: false,
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
      <Figure label={words.overview.reachableSubscribers} value={countOf(data.reachable, data.reachableExact)}>
        {words.overview.testDeviceBesides({ testDevices: data.testDevices })}
      </Figure>
      <Figure label={words.overview.joinedInDays({ days })} value={`+${count(now.joined)}`} before={against("joined")}>
        {now.left === 0 ? words.overview.noneHasLeft : words.overview.haveLeft({ left: now.left })}
      </Figure>
      <Figure label={words.overview.nudgesSent} value={count(now.sends)} before={against("sends")}>
        {words.overview.messageTaken({ reached: now.reached })}
      </Figure>
      <Figure label={words.overview.clicks} value={count(now.clicked)} before={against("clicked")}>
        {words.overview.ofThoseReached({ clicked: share(now.clicked, now.reached) })}
      </Figure>
    </SimpleGrid>
  );
}

/** Returns a figure compared with that of the period before, such as "+12% against the 30 days before". */
function compared(now: number, before: number, days: number): string {
  if (before === 0) return now === 0 ? "" : words.overview.noneInPeriodBefore({ days });
  const percent = Math.round((100 * (now - before)) / before);
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return words.overview.changeFromPeriodBefore({ sign, abs: count(Math.abs(percent)), days });
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
