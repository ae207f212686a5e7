import { Alert, Anchor, Box, Grid, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type CampaignView, campaign } from "../api/calls.ts";
import { CampaignActions } from "../campaign/campaign-actions.tsx";
import { GroupPanel } from "../campaign/group-panel.tsx";
import { LiveRun } from "../campaign/live-run.tsx";
import { RequestPanel } from "../campaign/request-panel.tsx";
import { UpdatesPanel } from "../campaign/updates-panel.tsx";
import { CampaignTitle } from "../components/campaign-title.tsx";
import { nameOfClass, useClassRules } from "../components/class-names.ts";
import { Icon } from "../components/icon.tsx";
import { TextLink } from "../components/links.tsx";
import { NudgeExtras } from "../components/nudge-extras.tsx";
import { count } from "../components/numbers.ts";
import { OtherHeadlines } from "../components/other-headlines.tsx";
import { Page } from "../components/page.tsx";
import { PictureFault } from "../components/picture-fault.tsx";
import { Said } from "../components/said.tsx";
import { Loaded } from "../components/states.tsx";
import { isSendable, StatusBadge } from "../components/status-badge.tsx";
import { goesOutAt, momentIn } from "../components/times.tsx";
import { worthOf } from "../components/worth.ts";
import { useSegment } from "../compose/use-segments.ts";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";

export function CampaignPage() {
  const { tenantId } = useCurrentSite();
  const { campaignId } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ["campaign", campaignId],
    queryFn: () => campaign(tenantId, campaignId!),
  });
  return (
    <Loaded of={query}>
      {(data) => (
        <Page
          title={data.title ?? words.pages.aStoryWithoutATitle}
          lead={
            <Group gap="sm" mt={6}>
              <StatusBadge status={data.status} />
              <When campaign={data} />
            </Group>
          }
          actions={<CampaignActions campaign={data} />}
        >
          <Parts campaign={data} />
        </Page>
      )}
    </Loaded>
  );
}

function When({ campaign: { status, scheduledAt, localTime, createdAt } }: { campaign: CampaignView }) {
  const { timeZone } = useCurrentSite().site;
  const zone = localTime === null ? ` (${timeZone})` : "";
  const said =
    status === "scheduled"
      ? words.pages.scheduledFor({ when: goesOutAt(timeZone, scheduledAt!, localTime) + zone })
      : words.pages.created({ when: momentIn(timeZone, createdAt) });
  return <span>{said}</span>;
}

function Parts({ campaign: data }: { campaign: CampaignView }) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="lg">
          {data.failure !== null && (
            <Alert color="red" variant="light" icon={<Icon name="warning" />} title={words.pages.notSentTitle}>
              <Said of={data.failure} />
            </Alert>
          )}
          {isSendable(data.status) && <RequestPanel campaign={data} />}
          {data.groupId !== null && <GroupPanel groupId={data.groupId} campaignId={data.campaignId} />}
          {data.runId === null ? (
            <NotSent campaign={data} />
          ) : (
            <LiveRun runId={data.runId} campaignId={data.campaignId} ttlSeconds={data.ttlSeconds} />
          )}
          {(data.status === "sent" || data.status === "stopped") && <UpdatesPanel campaign={data} />}
          <Decision campaign={data} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Content campaign={data} />
      </Grid.Col>
    </Grid>
  );
}

function NotSent({ campaign: { status } }: { campaign: CampaignView }) {
  const notSent: Record<string, string> = words.pages.notSent;
  return (
    <Paper>
      <Text c="dimmed">{notSent[status]}</Text>
    </Paper>
  );
}

function Content({ campaign: data }: { campaign: CampaignView }) {
  const rules = useClassRules();
  return (
    <Paper component="section" aria-label={words.pages.nudge}>
      <Title order={2} size="h4" mb="sm">
        {words.pages.nudge}
      </Title>
      <Stack gap="xs">
        <Text fw={600}>
          <CampaignTitle campaign={data} />
        </Text>
        {data.body !== "" && (
          <Text size="sm" dir="auto">
            {data.body}
          </Text>
        )}
        {data.imageUrl !== null && <Picture url={data.imageUrl} />}
        {data.runId === null && <OtherHeadlines campaign={data} />}
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {words.pages.opens({
            link: (
              <Anchor href={data.url} rel="noreferrer noopener" target="_blank" inherit underline="always">
                {data.url}
              </Anchor>
            ),
          })}
        </Text>
        <NudgeExtras campaign={data} />
        {data.corrects !== null && (
          <Text size="sm">
            {words.pages.correctsNudge({ link: <Corrected siteId={data.siteId} campaignId={data.corrects} /> })}
          </Text>
        )}
        {data.corrects === null && <Recipients campaign={data} />}
        <Text size="sm" c="dimmed">
          {data.class !== "normal" && `${nameOfClass(data.class, rules?.[data.class])} · `}
          {words.pages.expiryAndUrgency({
            hours: count(Math.round(data.ttlSeconds / 360) / 10),
            urgency: words.pages.urgencies[data.urgency],
          })}
          {data.labels.map((label) => ` · ${label}`)}
          {data.externalId !== null && ` · ${data.externalId}`}
        </Text>
      </Stack>
    </Paper>
  );
}

function Corrected(params: { siteId: string; campaignId: string }) {
  return (
    <TextLink underline="always" to="/sites/$siteId/campaigns/$campaignId" params={params}>
      {words.pages.anEarlierNudge}
    </TextLink>
  );
}

/** The picture of a notification, or a note why it cannot be shown. */
function Picture({ url }: { url: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <PictureFault url={url} />;
  return (
    <Box
      component="img"
      src={url}
      alt={words.pages.pictureAlt}
      referrerPolicy="no-referrer"
      style={{ width: "100%", borderRadius: 12, maxHeight: 240, objectFit: "cover" }}
      onError={() => setBroken(true)}
    />
  );
}

/** The names of the topics, the story and the segment whose readers get a campaign. */
function Recipients({ campaign: { topicIds, followersOf, segment } }: { campaign: CampaignView }) {
  const name = useSegment(segment)?.name;
  const { data } = useSubscribers();
  if (topicIds.length > 0 && data === undefined) return null;
  const names = topicIds.map(
    (id) => data?.topics.find(({ topicId }) => topicId === id)?.name ?? words.pages.aRetiredTopic,
  );
  return (
    <Text size="sm" c="dimmed">
      {followersOf !== null
        ? words.pages.toFollowers({ story: <bdi>{followersOf}</bdi> })
        : names.length === 0
          ? words.pages.toEverybody
          : words.pages.toTopics({
              n: names.length,
              topics: <bdi>{new Intl.ListFormat(language).format(names)}</bdi>,
            })}
      {name !== undefined && (
        <>
          {" · "}
          {words.pages.toSegment({ segment: <bdi>{name}</bdi> })}
        </>
      )}
    </Text>
  );
}

function Decision({ campaign: { decision } }: { campaign: CampaignView }) {
  if (decision === null || decision.reasons.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.pages.decision}>
      <Title order={2} size="h4" mb="sm">
        {words.pages.decisionLead}
      </Title>
      <Text size="sm" mb="xs">
        {decision.decision === "send"
          ? words.pages.scoreOf({ worth: worthOf(decision), score: Math.round(decision.score * 100) })
          : `${worthOf(decision)}.`}
      </Text>
      <List size="sm" spacing={4}>
        {decision.reasons.map(({ code, ...sentence }) => (
          <List.Item key={code}>
            <span dir="auto">
              <Said of={sentence} />
            </span>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
