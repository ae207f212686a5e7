import { Alert, Button, Group, List, Progress, Stack, Text } from "@mantine/core";
import type { FileLayout } from "../api/subscriber-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { count } from "../components/numbers.ts";
import { saveFile } from "../components/save-file.ts";
import type { ImportState } from "./use-import.ts";
import type { FaultGroup } from "./wrong-lines.ts";

const statusTexts: Record<ImportState["status"], string> = {
  running: "Importing. Keep this page open.",
  done: "Done.",
  stopped: "Stopped. What went in stays; the same file again adds the rest.",
  failed: "It broke off. What went in stays; the same file again adds the rest.",
};

type Props = { state: ImportState; bytes: number; layout: FileLayout; header: string[] };

/** How an import goes on, and how it ended. */
export function ImportResult({ state, bytes, layout, header }: Props) {
  const { status, report, sentBytes, error } = state;
  const percent = bytes === 0 ? 100 : (100 * sentBytes) / bytes;
  const nothingWentIn = status === "done" && report.added + report.changed + report.unchanged === 0;
  return (
    <Stack gap="xs" data-import={status}>
      <FormError error={error} />
      {status === "running" && <Progress value={percent} aria-label="How much of the file is imported" />}
      {nothingWentIn ? (
        <NothingWentIn wrong={report.wrong} />
      ) : (
        <Text size="sm" role="status">
          {statusTexts[status]}
        </Text>
      )}
      <Text size="sm" className="figures">
        {count(report.lines)} lines: {count(report.added)} new, {count(report.changed)} changed,{" "}
        {count(report.unchanged)} known already, {count(report.wrong)} wrong.
      </Text>
      {report.wrong > 0 && <WrongLines state={state} layout={layout} header={header} />}
    </Stack>
  );
}

function NothingWentIn({ wrong }: { wrong: number }) {
  return (
    <Alert color="red" variant="light" icon={<Icon name="cross" />} title="No reader was imported" role="status">
      {wrong === 0
        ? "The file has no readers in it."
        : "Not one line of the file was right. See below what is wrong with them: perhaps it is another file, or the columns are mixed up."}
    </Alert>
  );
}

function WrongLines({ state: { status, wrongLines, report }, layout, header }: Omit<Props, "bytes">) {
  const { groups, list, texts } = wrongLines;
  const rest = report.wrong - groups.reduce((sum, group) => sum + group.count, 0);
  const isCut = list.length < report.wrong;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title="Lines that did not go in">
      <List size="sm" mb="sm">
        {groups
          .toSorted((a, b) => b.count - a.count)
          .map((group) => (
            <List.Item key={group.reason}>
              {count(group.count)} {group.count === 1 ? "line" : "lines"}: {group.reason} ({whereOf(group)})
            </List.Item>
          ))}
      </List>
      {rest > 0 && (
        <Text size="sm" mb="sm">
          And {count(rest)} more.
        </Text>
      )}
      {status !== "running" && (
        <Group gap="xs">
          {texts.length > 0 && (
            <SaveButton onClick={() => saveTexts(texts, layout, header)}>Save these lines</SaveButton>
          )}
          <SaveButton onClick={() => saveList(list)}>Save the list</SaveButton>
          {isCut && <Text size="xs">The first {count(list.length)} of them.</Text>}
        </Group>
      )}
    </Alert>
  );
}

function SaveButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" leftSection={<Icon name="download" size={16} />} onClick={onClick}>
      {children}
    </Button>
  );
}

function whereOf({ count: all, lines }: FaultGroup): string {
  const first = lines.map(count).join(", ");
  return all === 1 ? `line ${first}` : `lines ${first}${all > lines.length ? " and further ones" : ""}`;
}

/** Saves the wrong lines as they are in the file, with its header, so that they can be mended and imported. */
function saveTexts(texts: string[], layout: FileLayout, header: string[]): void {
  if (layout.format !== "csv") {
    saveFile("wrong-lines.ndjson", `${texts.join("\n")}\n`, "application/x-ndjson");
    return;
  }
  const named = header.map((name) => `"${name.replaceAll('"', '""')}"`).join(layout.delimiter);
  const lines = [...(layout.hasHeader ? [named] : []), ...texts.map((text) => text.replace(/\r$/, ""))];
  saveFile("wrong-lines.csv", `${lines.join("\n")}\n`, "text/csv");
}

function saveList(list: ImportState["wrongLines"]["list"]): void {
  const text = list.map(({ line, reason }) => `line ${line}: ${reason}\n`).join("");
  saveFile("wrong-lines.txt", text, "text/plain");
}
