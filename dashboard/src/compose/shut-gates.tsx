import { Alert, Text } from "@mantine/core";
import type { AudienceSize } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";
import { words } from "../words/words.ts";

type ShutGate = AudienceSize["shut"][number];

/**
 * The reasons why nothing can be sent now: a pause, the agreement or the plan. Shows nothing while all gates are
 * open.
 */
export function ShutGates({ shut }: { shut: ShutGate[] }) {
  if (shut.length === 0) return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={words.compose.sendsBlockedTitle}
      data-testid="shut-gates"
    >
      {shut.map((gate) => (
        <Text size="sm" key={wordsOfGate(gate)}>
          {wordsOfGate(gate)}
        </Text>
      ))}
    </Alert>
  );
}

/** Returns the sentence for a shut gate. */
export function wordsOfGate({ code, scope }: ShutGate): string {
  return words.compose.shut[code === "send_paused" ? (scope ?? "site") : code];
}
