import { Badge } from "@mantine/core";
import type { CampaignStatus, SendableState } from "../api/calls.ts";
import { words } from "../words/words.ts";

const colors: Record<CampaignStatus, string> = {
  draft: "gray",
  scheduled: "indigo",
  sending: "petrol",
  sent: "green",
  stopped: "orange",
  cancelled: "gray",
  failed: "red",
};

/** The statuses in which a campaign can be sent. The service's type makes the compiler require each of them here. */
const sendableStates: Record<SendableState, true> = { draft: true, scheduled: true };

/** Returns whether a campaign with this status can be sent, scheduled and cancelled. */
export function isSendable(status: CampaignStatus): boolean {
  return Object.hasOwn(sendableStates, status);
}

export function StatusBadge({ status }: { status: CampaignStatus }) {
  const color = colors[status];
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`}>
      {words.components.statuses[status]}
    </Badge>
  );
}
