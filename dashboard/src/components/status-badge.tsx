import { Badge } from "@mantine/core";
import type { CampaignStatus, SendableStatus } from "../api/calls.ts";
import { words } from "../words/words.ts";

const statuses: Record<CampaignStatus, { color: string; label: string }> = {
  draft: {
    color: "gray",
    get label() {
      return words.components.draft;
    },
  },
  scheduled: {
    color: "indigo",
    get label() {
      return words.components.scheduled;
    },
  },
  sending: {
    color: "petrol",
    get label() {
      return words.components.sending;
    },
  },
  sent: {
    color: "green",
    get label() {
      return words.components.sent;
    },
  },
  stopped: {
    color: "orange",
    get label() {
      return words.components.stopped;
    },
  },
  cancelled: {
    color: "gray",
    get label() {
      return words.components.cancelled;
    },
  },
  failed: {
    color: "red",
    get label() {
      return words.components.failed;
    },
  },
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
