import { Badge } from "@mantine/core";
import type { CampaignStatus, SendableStatus } from "../api/calls.ts";

const statuses: Record<CampaignStatus, { color: string; label: string }> = {
  draft: { color: "gray", label: "Draft" },
  scheduled: { color: "indigo", label: "Scheduled" },
  sending: { color: "petrol", label: "Sending" },
  sent: { color: "green", label: "Sent" },
  stopped: { color: "orange", label: "Stopped" },
  cancelled: { color: "gray", label: "Cancelled" },
  failed: { color: "red", label: "Failed" },
};

export const statusLabels = Object.fromEntries(Object.entries(statuses).map(([name, { label }]) => [name, label]));

/** The service's own type: where a status is added to it or taken from it, this does not compile. */
const sendableStates: Record<SendableStatus, true> = { draft: true, scheduled: true };

/** Whether a campaign of this status can be sent, scheduled and cancelled. */
export function isSendable(status: CampaignStatus): boolean {
  return Object.hasOwn(sendableStates, status);
}

export function StatusBadge({ status }: { status: CampaignStatus }) {
  const { color, label } = statuses[status];
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`}>
      {label}
    </Badge>
  );
}
