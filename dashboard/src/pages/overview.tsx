import { Alert, Anchor, Grid, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { type Overview, overview } from "../api/calls.ts";
import { CampaignTitle } from "../components/campaign-title.tsx";
import { Icon } from "../components/icon.tsx";
import { ButtonLink, TextLink } from "../components/links.tsx";
import { count, countOf, plural, share } from "../components/numbers.ts";
import { OpenSendRequests } from "../components/open-send-requests.tsx";
import { Page } from "../components/page.tsx";
import { RecentSends } from "../components/recent-sends.tsx";
import { Said } from "../components/said.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { momentIn } from "../components/times.tsx";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";

const GrowthChart = lazy(() => import("../components/growth-chart.tsx"));

export function OverviewPage() {
  const currentSite = useCurrentSite();
  const { tenantId, siteId, site } = currentSite;
  const query = useQuery({
    queryKey: ["overview", siteId],
    queryFn: () => overview(tenantId, siteId),
    refetchInterval: 15_000,
  });
  return (
    <Page title="Overview" lead={<Anchor href={site.url}>{site.url.replace(/^https?:\/\//, "")}</Anchor>}>
      <Loaded of={query}>
        {(data) => (
          <Stack gap="lg">
            <Alerts alerts={data.alerts} />
            <OpenSendRequests requests={data.requests} siteId={siteId} />
            {data.reachable === 0 && data.recent.length === 0 ? (
              <FirstSteps currentSite={currentSite} />
            ) : (
              <Figures data={data} currentSite={currentSite} />
            )}
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
      {alerts.map(({ code, message }) => (
        <Alert key={code + message} color="yellow" variant="light" icon={<Icon name="warning" />} data-alert={code}>
          <Said>{message}</Said>
        </Alert>
      ))}
    </Stack>
  );
}

function FirstSteps({ currentSite: { siteId, canEdit } }: { currentSite: CurrentSite }) {
  return (
    <EmptyState
      icon="readers"
      title="Nobody can be reached yet"
      action={
        <>
          <ButtonLink to="/sites/$siteId/integrations" params={{ siteId }}>
            Install on your site
          </ButtonLink>
          {canEdit && (
            <ButtonLink variant="default" to="/sites/$siteId/compose" params={{ siteId }}>
              Look at a story
            </ButtonLink>
          )}
        </>
      }
    >
      Put two lines on your site, and readers are asked whether they want your news. Those you have already can be
      imported under Subscribers. Until then you can see what Pressbell makes of your stories.
    </EmptyState>
  );
}

function Figures({ data, currentSite }: { data: Overview; currentSite: CurrentSite }) {
  const joined = data.days.reduce((sum, day) => sum + day.joined, 0);
  const left = data.days.reduce((sum, day) => sum + day.left, 0);
  const last = data.recent[0]?.run;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Figure label="Reachable subscribers" value={countOf(data.reachable, data.reachableExact)}>
          {plural(data.testDevices, "test device")} besides
        </Figure>
        <Figure label="Joined in 30 days" value={`+${count(joined)}`}>
          {left === 0 ? "None was found gone" : `${plural(left, "was", "were")} found gone`}
        </Figure>
        <Figure label="Last nudge reached" value={last ? count(last.accepted) : "–"}>
          {last ? `${share(last.accepted, last.audience)} of ${count(last.audience)}` : "Nothing was sent yet"}
        </Figure>
      </SimpleGrid>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Growth days={data.days} />
            <Scheduled data={data} currentSite={currentSite} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper>
            <Group justify="space-between" mb="sm">
              <Title order={2} size="h4">
                Last nudges
              </Title>
              <TextLink size="sm" to="/sites/$siteId/campaigns" params={{ siteId: currentSite.siteId }}>
                All campaigns
              </TextLink>
            </Group>
            <RecentSends recent={data.recent} siteId={currentSite.siteId} timeZone={data.timeZone} />
          </Paper>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: React.ReactNode }) {
  return (
    <Paper>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <Text className="figures" fz={32} fw={650} lh={1.25} lts="-0.02em">
        {value}
      </Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}

function Growth({ days }: Pick<Overview, "days">) {
  return (
    <Paper>
      <Title order={2} size="h4" mb="sm">
        Who came and who left
      </Title>
      <Suspense fallback={<div style={{ height: 236 }} />}>
        <GrowthChart days={days} />
      </Suspense>
    </Paper>
  );
}

function Scheduled({ data, currentSite }: { data: Overview; currentSite: CurrentSite }) {
  if (data.scheduled.length === 0) return null;
  const { siteId } = currentSite;
  return (
    <Paper>
      <Title order={2} size="h4" mb="sm">
        Scheduled
      </Title>
      <Stack gap="sm">
        {data.scheduled.map((campaign) => (
          <Group key={campaign.campaignId} wrap="nowrap" justify="space-between" gap="md">
            <TextLink
              to="/sites/$siteId/campaigns/$campaignId"
              params={{ siteId, campaignId: campaign.campaignId }}
              c="var(--mantine-color-text)"
              fw={500}
              lineClamp={1}
            >
              <CampaignTitle campaign={campaign} />
            </TextLink>
            <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              {momentIn(data.timeZone, campaign.scheduledAt!)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
