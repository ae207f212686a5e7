import { Box, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useFullscreenDocument } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type CampaignRow, type Screen, screen } from "../api/calls.ts";
import { CampaignTitle } from "../components/campaign-title.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { count, countOf, share } from "../components/numbers.ts";
import { OutcomeBar } from "../components/outcome-bar.tsx";
import { Loaded } from "../components/states.tsx";
import { StatusBadge } from "../components/status-badge.tsx";
import { goesOutAt } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import classes from "../overview/screen.module.css";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/**
 * The page for a screen on the newsroom's wall: how many readers can be reached, what goes out today, and the clicks
 * of this minute.
 */
export function ScreenPage() {
  const { tenantId, siteId, site } = useCurrentSite();
  const query = useQuery({
    queryKey: ["screen", siteId],
    queryFn: () => screen(tenantId, siteId),
    refetchInterval: 5_000,
    // A screen without a keyboard or mouse never has the focus.
    refetchIntervalInBackground: true,
  });
  useEffect(() => {
    document.title = `${site.name} · Pressbell`;
  }, [site.name]);
  return (
    <div className={classes.screen}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1}>
            <bdi>{site.name}</bdi>
          </Title>
          <Buttons />
        </Group>
        <Loaded of={query}>{(data) => <Today data={data} />}</Loaded>
      </Stack>
    </div>
  );
}

function Buttons() {
  const { siteId } = useCurrentSite();
  const { fullscreen, toggle } = useFullscreenDocument();
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<Icon name="screen" size={16} />} onClick={() => void toggle()}>
        {fullscreen ? words.pages.leaveFullScreen : words.pages.fullScreen}
      </Button>
      {!fullscreen && (
        <ButtonLink variant="default" to="/sites/$siteId" params={{ siteId }}>
          {words.pages.backToTheOverview}
        </ButtonLink>
      )}
    </Group>
  );
}

function Today({ data }: { data: Screen }) {
  const { timeZone } = useCurrentSite().site;
  const clicks = data.minutes.reduce((sum, { clicked }) => sum + clicked, 0);
  // The present minute is not over yet, so this is the one before.
  const lastMinute = data.minutes.at(-2)?.clicked ?? 0;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Figure
          label={words.pages.readersReachable}
          value={countOf(data.reachable, data.reachableExact)}
          name="reachable"
        />
        <Figure label={words.pages.clicksInTheLastMinute} value={count(lastMinute)} name="clicks" />
      </SimpleGrid>
      <Paper component="section" aria-label={words.pages.clicksByTheMinute}>
        <Text c="dimmed" mb="xs">
          {words.pages.clicksInTheLastHour({ clicks })}
        </Text>
        <Bars minutes={data.minutes} />
      </Paper>
      <Title order={2} size="h3">
        {data.today.length === 0 ? words.pages.noSendsToday : words.pages.today}
      </Title>
      <ul className={classes.sends}>
        {data.today.map((campaign) => (
          <li key={campaign.campaignId}>
            <Send campaign={campaign} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Figure({ label, value, name }: { label: string; value: string; name: string }) {
  return (
    <Paper>
      <Text size="lg" c="dimmed" fw={500}>
        {label}
      </Text>
      <div className={`figures ${classes.figure}`} data-screen={name}>
        {value}
      </div>
    </Paper>
  );
}

/** A bar for each minute. Screen readers get the sum, which is shown above the bars. */
function Bars({ minutes }: Pick<Screen, "minutes">) {
  const most = Math.max(1, ...minutes.map(({ clicked }) => clicked));
  return (
    <div className={classes.bars} aria-hidden="true">
      {minutes.map(({ minute, clicked }) => (
        <span key={minute} style={{ height: `${(100 * clicked) / most}%` }} />
      ))}
    </div>
  );
}

function Send({ campaign, timeZone }: { campaign: CampaignRow; timeZone: string }) {
  const { run, status, localTime } = campaign;
  if (run === null) return null;
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: "2-digit", minute: "2-digit" });
  return (
    <Paper>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text fz={20} fw={600} lineClamp={2}>
          <CampaignTitle campaign={campaign} />
        </Text>
        <Box flex="none">
          <StatusBadge status={status} />
        </Box>
      </Group>
      <OutcomeBar run={run} size="lg" />
      <Text mt="xs" className="figures" c="dimmed">
        {words.pages.runFigures({
          time:
            localTime === null ? time.format(new Date(run.startedAt)) : goesOutAt(timeZone, run.startedAt, localTime),
          accepted: count(run.accepted),
          audience: run.audience,
          clicked: run.clicked,
          share: share(run.clicked, run.accepted),
        })}
      </Text>
    </Paper>
  );
}
