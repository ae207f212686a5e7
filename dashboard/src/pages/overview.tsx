import { Alert, Anchor, Grid, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Overview, overview } from "../api/calls.ts";
import { CampaignTitle } from "../components/campaign-title.tsx";
import { figuresEveryMs } from "../components/figures-every.ts";
import { Icon } from "../components/icon.tsx";
import { ButtonLink, TextLink } from "../components/links.tsx";
import { OpenApprovalRequests } from "../components/open-approval-requests.tsx";
import { Page } from "../components/page.tsx";
import { RecentSends } from "../components/recent-sends.tsx";
import { Said } from "../components/said.tsx";
import { Loaded } from "../components/states.tsx";
import { goesOutAt } from "../components/times.tsx";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";
import { FirstSteps } from "../overview/first-steps.tsx";
import { Holdouts } from "../overview/holdouts.tsx";
import { Clicks, Growth, PeriodFigures, Readers, usePeriod } from "../overview/period-figures.tsx";
import { Report } from "../overview/report.tsx";
import { SendFrequency } from "../overview/send-frequency.tsx";
import { SenderReputation } from "../overview/sender-reputation.tsx";
import { words } from "../words/words.ts";

export function OverviewPage() {
  const currentSite = useCurrentSite();
  const { tenantId, siteId, site } = currentSite;
  const query = useQuery({
    queryKey: ["overview", siteId],
    queryFn: () => overview(tenantId, siteId),
    refetchInterval: ({ state }) => figuresEveryMs(state.data?.recent),
  });
  // The period is read at the same time as the overview, although its figures are shown after it.
  usePeriod();
  return (
    <Page
      title={words.pages.overview}
      lead={<Anchor href={site.url}>{site.url.replace(/^https?:\/\//, "")}</Anchor>}
      actions={
        <ButtonLink
          variant="default"
          to="/sites/$siteId/screen"
          params={{ siteId }}
          leftSection={<Icon name="screen" size={16} />}
        >
          {words.pages.newsroomScreen}
        </ButtonLink>
      }
    >
      <Loaded of={query}>
        {(data) => (
          <Stack gap="lg">
            <Alerts alerts={data.alerts} />
            <OpenApprovalRequests requests={data.requests} siteId={siteId} />
            {data.firstSteps && <FirstSteps steps={data.firstSteps} />}
            {(data.reachable > 0 || data.recent.length > 0) && <Figures data={data} currentSite={currentSite} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Alerts({ alerts }: Pick<Overview, "alerts">) {
  if (alerts.length === 0) return null;
  return (
    <Stack gap="xs">
      {alerts.map(({ code, ...sentence }) => (
        <Alert
          key={code + sentence.message}
          color="yellow"
          variant="light"
          icon={<Icon name="warning" />}
          data-alert={code}
        >
          <Said of={sentence} />
        </Alert>
      ))}
    </Stack>
  );
}

function Figures({ data, currentSite }: { data: Overview; currentSite: CurrentSite }) {
  return (
    <>
      <PeriodFigures data={data} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Growth />
            <Readers />
            <Clicks />
            <Scheduled data={data} currentSite={currentSite} />
            <SenderReputation data={data} />
            <SendFrequency />
            <Holdouts />
            <Report />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper>
            <Group justify="space-between" mb="sm">
              <Title order={2} size="h4">
                {words.pages.lastNudges}
              </Title>
              <TextLink size="sm" to="/sites/$siteId/campaigns" params={{ siteId: currentSite.siteId }}>
                {words.pages.allCampaigns}
              </TextLink>
            </Group>
            <RecentSends recent={data.recent} siteId={currentSite.siteId} timeZone={data.timeZone} />
          </Paper>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Scheduled({ data, currentSite }: { data: Overview; currentSite: CurrentSite }) {
  if (data.scheduled.length === 0) return null;
  const { siteId } = currentSite;
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {words.pages.scheduled}
        </Title>
        <TextLink size="sm" to="/sites/$siteId/calendar" params={{ siteId }}>
          {words.pages.calendar}
        </TextLink>
      </Group>
      <Stack gap="sm">
        {data.scheduled.map((campaign) => (
          <Group key={campaign.campaignId} wrap="nowrap" justify="space-between" gap="md">
            <TextLink
              to="/sites/$siteId/campaigns/$campaignId"
              params={{ siteId, campaignId: campaign.campaignId }}
              c="var(--mantine-color-text)"
              fw={500}
              lineClamp={2}
            >
              <CampaignTitle campaign={campaign} />
            </TextLink>
            <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              {goesOutAt(data.timeZone, campaign.scheduledAt!, campaign.localTime)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
