import { Alert, Button, Group, List, Progress, Stack, Text } from "@mantine/core";
import type { FileLayout } from "../api/subscriber-calls.ts";
import { FormError } from "../components/form-error.tsx";
import { Icon } from "../components/icon.tsx";
import { count } from "../components/numbers.ts";
import { saveFile } from "../components/save-file.ts";
import { words } from "../words/words.ts";
import type { ImportState } from "./use-import.ts";
import type { FaultGroup } from "./wrong-lines.ts";

const statusTexts: Record<ImportState["status"], string> = {
  get running() {
    return words.subscribers.importRunning;
  },
  get done() {
    return words.subscribers.done;
  },
  get stopped() {
    return words.subscribers.importStopped;
  },
  get failed() {
    return words.subscribers.importFailed;
  },
};

type Props = { state: ImportState; bytes: number; layout: FileLayout; header: string[] };

/** The progress of an import, and its result. */
export function ImportResult({ state, bytes, layout, header }: Props) {
  const { status, report, sentBytes, error } = state;
  const percent = bytes === 0 ? 100 : (100 * sentBytes) / bytes;
  const nothingWentIn = status === "done" && report.added + report.changed + report.unchanged === 0;
  return (
    <Stack gap="xs" data-import={status}>
      <FormError error={error} />
      {status === "running" && <Progress value={percent} aria-label={words.subscribers.importProgressLabel} />}
      {nothingWentIn ? (
        <NothingWentIn wrong={report.wrong} />
      ) : (
        <Text size="sm" role="status">
          {statusTexts[status]}
        </Text>
      )}
      <Text size="sm" className="figures">
        {words.subscribers.importCounts({
          lines: count(report.lines),
          added: count(report.added),
          changed: count(report.changed),
          unchanged: count(report.unchanged),
          wrong: count(report.wrong),
        })}
      </Text>
      {report.wrong > 0 && <WrongLines state={state} layout={layout} header={header} />}
    </Stack>
  );
}

function NothingWentIn({ wrong }: { wrong: number }) {
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="cross" />}
      title={words.subscribers.nothingImportedTitle}
      role="status"
    >
      {wrong === 0 ? words.subscribers.fileEmpty : words.subscribers.allLinesWrong}
    </Alert>
  );
}

function WrongLines({ state: { status, wrongLines, report }, layout, header }: Omit<Props, "bytes">) {
  const { groups, list, texts } = wrongLines;
  const rest = report.wrong - groups.reduce((sum, group) => sum + group.count, 0);
  const isCut = list.length < report.wrong;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title={words.subscribers.wrongLinesTitle}>
      <List size="sm" mb="sm">
        {groups
          .toSorted((a, b) => b.count - a.count)
          .map((group) => (
            <List.Item key={group.reason}>
              {words.subscribers.wrongLinesGroup({ n: group.count, reason: group.reason, where: whereOf(group) })}
            </List.Item>
          ))}
      </List>
      {rest > 0 && (
        <Text size="sm" mb="sm">
          {words.subscribers.andMore({ rest: count(rest) })}
        </Text>
      )}
      {status !== "running" && (
        <Group gap="xs">
          {texts.length > 0 && (
            <SaveButton onClick={() => saveTexts(texts, layout, header)}>{words.subscribers.saveTheseLines}</SaveButton>
          )}
          <SaveButton onClick={() => saveList(list)}>{words.subscribers.saveTheList}</SaveButton>
          {isCut && <Text size="xs">{words.subscribers.savedLinesLimit({ length: count(list.length) })}</Text>}
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
  const { line, lines: several, linesAndFurther } = words.subscribers;
  if (all === 1) return line({ first });
  return all > lines.length ? linesAndFurther({ first }) : several({ first });
}

/** Saves the wrong lines unchanged with the file's header, so that a person can fix and import them. */
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
  const text = list.map(({ line, reason }) => `${words.subscribers.wrongLine({ line, reason })}\n`).join("");
  saveFile("wrong-lines.txt", text, "text/plain");
}
