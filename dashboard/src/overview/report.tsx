import { Group, NativeSelect, Paper, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CampaignClass } from "../../../src/tenants/sites/campaign-classes.ts";
import { type FiguresOfGroup, type Grouping, reportOfSite } from "../api/calls.ts";
import { Figures } from "../components/figures.tsx";
import { count, share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The groupings in their order. The label comes first, because a newsroom chooses labels itself. */
const groupings = Object.keys({ label: 0, topic: 0, class: 0, sender: 0, day: 0 } satisfies Record<
  Grouping,
  0
>) as Grouping[];
const days = 30;
const dayMs = 86_400_000;

/** Returns the day of the site's calendar that is `ago` days ago, as YYYY-MM-DD. */
const dayOf = (timeZone: string, ago: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(Date.now() - ago * dayMs);

/** The figures of the notifications of the last 30 days, grouped by what the person chooses. */
export function Report() {
  const { tenantId, siteId, site } = useCurrentSite();
  const [by, choose] = useState<Grouping>("label");
  const query = useQuery({
    queryKey: ["report", siteId, by],
    queryFn: () =>
      reportOfSite(tenantId, siteId, { from: dayOf(site.timeZone, days - 1), to: dayOf(site.timeZone, 0), by }),
    refetchInterval: 300_000,
    placeholderData: keepPreviousData,
  });
  const { title, lead, grouped, groups, nothing, readersReached, clickRate } = words.overview.report;
  const rows = query.data?.data ?? [];
  return (
    <Paper component="section" aria-label={title}>
      <Group justify="space-between" align="end" mb="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {lead}
          </Text>
        </div>
        <NativeSelect
          label={grouped}
          value={by}
          onChange={(event) => choose(event.currentTarget.value as Grouping)}
          data={groupings.map((value) => ({ value, label: groups[value] }))}
        />
      </Group>
      {rows.length === 0 ? (
        <Text size="sm">{nothing}</Text>
      ) : (
        <Figures
          name={groups[by]}
          heads={[words.overview.nudges, readersReached, words.overview.clicks, clickRate, words.overview.readersLost]}
          rows={rows.map((row) => ({ name: nameOf(by, row), cells: cellsOf(row) }))}
        />
      )}
    </Paper>
  );
}

const cellsOf = ({ sends, accepted, clicked, unsubscribed, gone }: FiguresOfGroup) => [
  count(sends),
  count(accepted),
  count(clicked),
  share(clicked, accepted),
  count(gone + unsubscribed),
];

function nameOf(by: Grouping, { key, name }: FiguresOfGroup): string {
  if (key === null) return words.overview.report.none;
  return name ?? (by === "class" ? words.components.classes[key as CampaignClass] : key);
}
