import { Text } from "@mantine/core";
import type { Calendar, CampaignStatus } from "../api/calls.ts";
import { TextLink } from "../components/links.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/** The type of the data that a dragged entry carries: the id of its campaign. */
export const draggedType = "application/x-pressbell-campaign";

/**
 * A notification on its day: its time at the site, its title and its status. Editors drag a scheduled one to another
 * day.
 */
export function Entry({ entry: { campaignId, title, status, at } }: { entry: Calendar["entries"][number] }) {
  const { siteId, site, canEdit } = useCurrentSite();
  const canMove = canEdit && status === "scheduled";
  const time = new Intl.DateTimeFormat(locale, { timeZone: site.timeZone, hour: "2-digit", minute: "2-digit" });
  const isSent = status === "sent";
  return (
    <Text
      size="sm"
      component="li"
      lh={1.3}
      draggable={canMove}
      onDragStart={(event) => canMove && event.dataTransfer.setData(draggedType, campaignId)}
      style={canMove ? { cursor: "grab" } : undefined}
    >
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
