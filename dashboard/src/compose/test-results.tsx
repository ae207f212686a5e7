import { Alert, List } from "@mantine/core";
import type { TestSend } from "../api/calls.ts";
import { Icon } from "../components/icon.tsx";
import { Said } from "../components/said.tsx";

/** The outcome of a test send for each device. */
export function TestResults({ result: { recipients, accepted, results } }: { result: TestSend }) {
  const isGood = accepted === recipients;
  return (
    <Alert
      role="status"
      variant="light"
      color={isGood ? "green" : "yellow"}
      icon={<Icon name={isGood ? "check" : "warning"} />}
      title={`${accepted} of ${recipients} test devices took it`}
    >
      <List size="sm">
        {results.map(({ testSubscriberId, label, message }) => (
          <List.Item key={testSubscriberId}>
            <b>{label ?? "Without a name"}:</b> <Said>{message}</Said>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
