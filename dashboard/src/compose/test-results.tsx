import { Alert, List } from "@mantine/core";
import type { TestSend } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";
import { Said } from "../components/said.tsx";
import { words } from "../words/words.ts";

/** The outcome of a test send for each device. */
export function TestResults({
  result: { recipients, accepted, results },
  onClose,
}: {
  result: TestSend;
  onClose: () => void;
}) {
  const isGood = accepted === recipients;
  return (
    <Alert
      role="status"
      variant="light"
      color={isGood ? "green" : "yellow"}
      icon={<Icon name={isGood ? "check" : "warning"} />}
      withCloseButton
      closeButtonLabel={words.components.close}
      onClose={onClose}
      title={words.compose.testResult({ accepted, recipients })}
    >
      <List size="sm">
        {results.map(({ testSubscriberId, label, ...sentence }) => (
          <List.Item key={testSubscriberId}>
            <b>{label ?? words.compose.withoutAName}:</b> <Said of={sentence} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
