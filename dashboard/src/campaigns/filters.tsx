import { SimpleGrid, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type AuditEventView, campaignChoices } from "../api/calls.ts";
import { ChoiceField, DayField } from "../components/filter-fields.tsx";
import { Icon } from "../components/icon.tsx";
import { whoDid } from "../components/who.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { type CampaignFilter, changeFilter } from "./filter.ts";

type Change = (change: CampaignFilter) => void;

/** The fields that filter and sort the list of campaigns. */
export function Filters() {
  const { siteId, site } = useCurrentSite();
  const now: CampaignFilter = useSearch({ strict: false });
  const navigate = useNavigate();
  const [text, setText] = useState(now.search ?? "");
  const go: Change = (change) => {
    const search = changeFilter({ ...now, search: text }, change, site.timeZone);
    void navigate({ to: "/sites/$siteId/campaigns", params: { siteId }, search, replace: true, resetScroll: false });
  };
  const goSoon = useDebouncedCallback((search: string) => go({ search }), 300);
  return (
    <SimpleGrid component="search" cols={{ base: 2, sm: 3, xl: 6 }} spacing="sm" verticalSpacing="xs">
      <TextInput
        label={words.campaigns.searchTitleOrAddress}
        type="search"
        style={{ gridColumn: "1 / -1" }}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          goSoon(event.currentTarget.value);
        }}
      />
      <ChoiceField
        label={words.campaigns.status}
        all={words.campaigns.everyStatus}
        value={now.status}
        onChange={(status) => go({ status })}
        options={Object.entries(words.components.statuses)}
      />
      <TopicAndSender now={now} go={go} />
      <DayField label={words.campaigns.sentFrom} value={now.from} onChange={(from) => go({ from })} />
      <DayField label={words.campaigns.sentTo} value={now.to} onChange={(to) => go({ to })} />
      <ChoiceField
        label={words.campaigns.order}
        all={words.campaigns.newestFirst}
        value={now.sort}
        onChange={(sort) => go({ sort })}
        options={[["clicks", words.campaigns.mostClicksFirst]]}
      />
    </SimpleGrid>
  );
}

function TopicAndSender({ now, go }: { now: CampaignFilter; go: Change }) {
  const { tenantId, siteId } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["campaign-choices", siteId],
    queryFn: () => campaignChoices(tenantId, siteId),
  });
  const { topics = [], senders = [] } = data ?? {};
  return (
    <>
      <ChoiceField
        label={words.campaigns.topic}
        all={words.campaigns.everyTopic}
        value={now.topicId}
        onChange={(topicId) => go({ topicId })}
        options={topics.map(({ topicId, name, isRetired }) => [
          topicId,
          isRetired ? words.campaigns.retiredTopic({ name }) : name,
        ])}
      />
      <ChoiceField
        label={words.campaigns.sender}
        all={words.campaigns.everySender}
        value={now.sender}
        onChange={(sender) => go({ sender })}
        options={senders.map(({ key, name }) => {
          const kind = key.split(":")[0] as AuditEventView["by"]["kind"];
          return [key, whoDid({ kind, name })];
        })}
      />
    </>
  );
}
