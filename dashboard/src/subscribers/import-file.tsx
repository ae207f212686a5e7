import { Alert, Button, Code, FileInput, Group, List, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { count } from "../components/numbers.ts";
import { saveFile } from "../components/save-file.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { type ImportState, useImport } from "./use-import.ts";

/**
 * About 600,000 subscribers, a quarter of an hour on a usual connection. Larger files are imported on the command
 * line.
 */
const fileBytesAtMost = 256 * 1024 * 1024;
const shownFaults = 50;

/** Imports subscribers from a file. */
export function ImportFile() {
  const { siteId } = useCurrentSite();
  const [file, setFile] = useState<File | null>(null);
  const queries = useQueryClient();
  const { state, start, stop } = useImport(() => queries.invalidateQueries());
  const isRunning = state?.status === "running";
  const isTooLarge = file !== null && file.size > fileBytesAtMost;
  return (
    <Paper component="section" aria-label="Import">
      <Title order={2} size="h4" mb={4}>
        Import
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        A text file with a line for each reader, as the export makes it and browsers give it:{" "}
        <Code style={{ overflowWrap: "anywhere" }}>{'{"endpoint":"https://…","keys":{"p256dh":"…","auth":"…"}}'}</Code>{" "}
        Only readers who subscribed to this site’s own key can be reached: from another service its key pair comes
        first, see below.
      </Text>
      <Stack>
        <Group align="flex-start" gap="xs">
          <FileInput
            label="File"
            placeholder="Choose a file"
            accept=".ndjson,.jsonl,.txt,.json,application/x-ndjson"
            flex="1 1 220px"
            miw={0}
            clearable
            clearButtonProps={{ "aria-label": "Choose none" }}
            value={file}
            onChange={setFile}
            disabled={isRunning}
            error={isTooLarge ? tooLarge(siteId) : undefined}
          />
          {isRunning ? (
            <Button mt={25} variant="default" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button
              mt={25}
              disabled={file === null || isTooLarge}
              onClick={() => void start(file!)}
              leftSection={<Icon name="upload" size={16} />}
            >
              Import
            </Button>
          )}
        </Group>
        {state !== null && <Result state={state} bytes={file?.size ?? state.sentBytes} />}
      </Stack>
    </Paper>
  );
}

function tooLarge(siteId: string): string {
  return `This is over 256 MB. Import it on the command line: pressbell subscribers import --site ${siteId} FILE`;
}

const statusTexts: Record<ImportState["status"], string> = {
  running: "Importing. Keep this page open.",
  done: "Done.",
  stopped: "Stopped. What went in stays; the same file again adds the rest.",
  failed: "It broke off. What went in stays; the same file again adds the rest.",
};

function Result({ state, bytes }: { state: ImportState; bytes: number }) {
  const { status, report, sentBytes, error } = state;
  const percent = bytes === 0 ? 100 : (100 * sentBytes) / bytes;
  return (
    <Stack gap="xs" data-import={status}>
      <FormError error={error} />
      {status === "running" && <Progress value={percent} aria-label="How much of the file is imported" />}
      <Text size="sm" role="status">
        {statusTexts[status]}
      </Text>
      <Text size="sm" className="figures">
        {count(report.lines)} lines: {count(report.added)} new, {count(report.changed)} changed,{" "}
        {count(report.unchanged)} known already, {count(report.wrong)} wrong.
      </Text>
      {report.wrong > 0 && <Faults state={state} />}
    </Stack>
  );
}

function Faults({ state: { status, faults, report } }: { state: ImportState }) {
  const rest = report.wrong - Math.min(shownFaults, faults.length);
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title="Lines that did not go in">
      <List size="sm" mb="sm">
        {faults.slice(0, shownFaults).map(({ line, reason }) => (
          <List.Item key={line}>
            Line {count(line)}: {reason}
          </List.Item>
        ))}
      </List>
      {rest > 0 && (
        <Text size="sm" mb="sm">
          And {count(rest)} more.
        </Text>
      )}
      {status !== "running" && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => save(faults)}
        >
          Save the list
        </Button>
      )}
    </Alert>
  );
}

function save(faults: ImportState["faults"]): void {
  const text = faults.map(({ line, reason }) => `line ${line}: ${reason}\n`).join("");
  saveFile("wrong-lines.txt", text, "text/plain");
}
