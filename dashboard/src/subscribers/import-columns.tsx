import { Alert, Badge, NativeSelect, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import type { GuessedLayout } from "../api/subscriber-calls.ts";
import { Icon } from "../components/icon.tsx";
import { words } from "../words/words.ts";

type Csv = Extract<GuessedLayout["layout"], { format: "csv" }>;
type Role = keyof Csv["columns"];

const roles: { role: Role; label: string; description: string }[] = [
  {
    role: "endpoint",
    get label() {
      return words.subscribers.address;
    },
    get description() {
      return words.subscribers.atThePushServiceHttps;
    },
  },
  {
    role: "p256dh",
    get label() {
      return words.subscribers.key;
    },
    get description() {
      return words.subscribers.n87LettersAndDigitsP256dh;
    },
  },
  {
    role: "auth",
    get label() {
      return words.subscribers.secret;
    },
    get description() {
      return words.subscribers.n22LettersAndDigitsAuth;
    },
  },
  {
    role: "left",
    get label() {
      return words.subscribers.hasUnsubscribed;
    },
    get description() {
      return words.subscribers.thoseWhoHaveStayOut;
    },
  },
  {
    role: "subscribed",
    get label() {
      return words.subscribers.isStillSubscribed;
    },
    get description() {
      return words.subscribers.thoseWhoAreNotStayOut;
    },
  },
  {
    role: "subscription",
    get label() {
      return words.subscribers.allInOne;
    },
    get description() {
      return words.subscribers.addressKeyAndSecretAs;
    },
  },
];

const delimiters = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "|" };
const shownRecords = 3;

/** Whether a file can be imported with these columns. */
export function canImport({ layout }: GuessedLayout): boolean {
  if (layout.format !== "csv") return true;
  const { subscription, endpoint, p256dh, auth } = layout.columns;
  return subscription !== undefined || [endpoint, p256dh, auth].every((column) => column !== undefined);
}

/** What a file was taken for, with its first records and the guess which columns hold what, which can be changed. */
export function ImportColumns({ guess, onChange }: { guess: GuessedLayout; onChange: (layout: Csv) => void }) {
  const { layout, header, records } = guess;
  if (layout.format !== "csv") {
    return (
      <Text size="sm" role="status" data-format={layout.format}>
        {layout.format === "json" ? words.subscribers.thisIsAListOf : words.subscribers.thisHasAReaderIn}
      </Text>
    );
  }
  const width = Math.max(header.length, ...records.map((record) => record.length));
  const nameOf = (at: number) => header[at]?.trim() || words.subscribers.column({ value: at + 1 });
  const choices = Array.from({ length: width }, (_, at) => ({ value: String(at), label: nameOf(at) }));
  const choose = (role: Role, value: string) => {
    const { [role]: _, ...others } = layout.columns;
    onChange({ ...layout, columns: value === "" ? others : { ...others, [role]: Number(value) } });
  };
  return (
    <Stack gap="sm" data-format="csv">
      <Text size="sm" role="status">
        {words.subscribers.thisIsATableWith({ width, value: delimiters[layout.delimiter] })}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {roles.map(({ role, label, description }) => (
          <NativeSelect
            key={role}
            label={label}
            description={description}
            value={String(layout.columns[role] ?? "")}
            onChange={(event) => choose(role, event.currentTarget.value)}
            data={[{ value: "", label: words.subscribers.none }, ...choices]}
          />
        ))}
      </SimpleGrid>
      <FirstRecords layout={layout} records={records} width={width} nameOf={nameOf} />
      {!canImport(guess) && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
          {words.subscribers.chooseTheColumnsWithAddress}
        </Alert>
      )}
    </Stack>
  );
}

type Records = { layout: Csv; records: string[][]; width: number; nameOf: (at: number) => string };

function FirstRecords({ layout, records, width, nameOf }: Records) {
  const roleAt = (at: number) => roles.find(({ role }) => layout.columns[role] === at);
  const columns = Array.from({ length: width }, (_, at) => at);
  // What is imported comes first: an export may have thirty columns.
  const ordered = columns.toSorted(
    (a, b) => Number(roleAt(a) === undefined) - Number(roleAt(b) === undefined) || a - b,
  );
  return (
    <Table.ScrollContainer
      minWidth={0}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, "aria-label": words.subscribers.firstLinesOfTheFile, role: "region" },
      }}
    >
      <Table fz="xs" striped withTableBorder aria-label={words.subscribers.firstLinesOfTheFile}>
        <Table.Thead>
          <Table.Tr>
            {ordered.map((at) => (
              <Table.Th key={at} style={{ whiteSpace: "nowrap" }}>
                {nameOf(at)}{" "}
                {roleAt(at) !== undefined && (
                  <Badge size="sm" color="indigo" variant="light" tt="none" c="var(--status-indigo)">
                    {roleAt(at)?.label}
                  </Badge>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.slice(0, shownRecords).map((record, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a file may be equal, and do not change
            <Table.Tr key={line}>
              {ordered.map((at) => (
                <Table.Td
                  key={at}
                  maw={180}
                  style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
                >
                  {record[at]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
