import { Text } from "@mantine/core";
import type { CampaignRow } from "../api/calls.ts";
import { words } from "../words/words.ts";
import { count, share } from "./numbers.ts";

/** The receipts of a run in one line. Shows nothing if no browser has reported. */
export function ReceiptSummary({ run }: { run: NonNullable<CampaignRow["run"]> }) {
  const { displayed, clicked, accepted } = run;
  if (displayed === 0 && clicked === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt={4} className="figures" data-effect>
      {words.components.receipts({
        clicked: count(clicked),
        share: share(clicked, accepted),
        displayed: count(displayed),
      })}
    </Text>
  );
}
