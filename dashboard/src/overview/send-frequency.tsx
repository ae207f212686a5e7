import { Paper, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SendFrequencyView, sendFrequency } from "../api/calls.ts";
import { Figures } from "../components/figures.tsx";
import { count, decimal, share } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/**
 * What the notifications of the last weeks won and lost, with advice on how often to send. Shows nothing until a
 * reader has done something.
 */
export function SendFrequency() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({
    queryKey: ["send-frequency", siteId],
    queryFn: () => sendFrequency(tenantId, siteId),
    refetchInterval: 300_000,
  });
  if (!query.data?.weeks.some(({ clicked, left }) => clicked + left > 0)) return null;
  const { weeks, fatigue, advice } = query.data;
  return (
    <Paper component="section" aria-label={words.overview.sendFrequency}>
      <Title order={2} size="h4" mb="sm">
        {words.overview.sendFrequency}
      </Title>
      <Weeks weeks={weeks} />
      {fatigue.length > 1 && <FatigueTable fatigue={fatigue} />}
      <Text size="sm" mt="md" className="figures" data-advice={advice.says}>
        {adviceText(advice)}
      </Text>
    </Paper>
  );
}

function Weeks({ weeks }: Pick<SendFrequencyView, "weeks">) {
  const { byWeek, nudges, clicks, clicksANudge, readersLost } = words.overview;
  return (
    <Figures
      name={byWeek}
      heads={[nudges, clicks, clicksANudge, readersLost]}
      rows={weeks.map(({ from, to, nudges, clicked, left }) => ({
        name: weekOf(from, to),
        cells: [count(nudges), count(clicked), nudges === 0 ? "–" : count(Math.round(clicked / nudges)), count(left)],
      }))}
    />
  );
}

function FatigueTable({ fatigue }: Pick<SendFrequencyView, "fatigue">) {
  const { byNudgesADay, daysOfThat, ofThoseShown, clicksOfThousand, lostOfThousand } = words.overview;
  return (
    <Figures
      name={byNudgesADay}
      heads={[daysOfThat, ofThoseShown, clicksOfThousand, lostOfThousand]}
      rows={fatigue.map(({ nudges, days, clickedOfShown, clicked, left }) => ({
        name: nudges === 5 ? words.overview.orMore({ n: nudges }) : count(nudges),
        cells: [count(days), share(clickedOfShown, 1), decimal(clicked), decimal(left)],
      }))}
    />
  );
}

const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });

const weekOf = (from: string, to: string) => days.formatRange(new Date(from), new Date(to));

function adviceText(advice: SendFrequencyView["advice"]): string {
  if (advice.says === "too_few_days") return words.overview.tooFewDays({ days: advice.days });
  const { says, nudges, clicked, left } = advice;
  const figures = words.overview.compared({
    nudges,
    clicksFewer: decimal(clicked.fewer),
    clicksMore: decimal(clicked.more),
    lostFewer: decimal(left.fewer),
    lostMore: decimal(left.more),
  });
  const text = words.overview.advice[says];
  return `${figures} ${typeof text === "string" ? text : text({ nudges })}`;
}
