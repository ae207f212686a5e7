import { Text } from "@mantine/core";
import type { Calendar, CampaignStatus } from "../api/calls.ts";
import { TextLink } from "../components/links.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/** A notification on its day: its time at the site, its title, and what became of it. */
export function Entry({ entry: { campaignId, title, status, at } }: { entry: Calendar["entries"][number] }) {
  const { siteId, site } = useCurrentSite();
  const time = new Intl.DateTimeFormat(locale, { timeZone: site.timeZone, hour: "2-digit", minute: "2-digit" });
  const isSent = status === "sent";
  return (
    <Text size="sm" component="div" lh={1.3}>
      <Text component="time" dateTime={at} size="xs" c="dimmed">
        {time.format(new Date(at))}
        {!isSent && ` · ${words.components.statuses[status as CampaignStatus]}`}
      </Text>
      <TextLink
        to="/sites/$siteId/campaigns/$campaignId"
        params={{ siteId, campaignId }}
        c="var(--mantine-color-text)"
        fw={isSent ? 400 : 600}
        inherit
        lineClamp={2}
        dir="auto"
      >
        {title}
      </TextLink>
    </Text>
  );
}
