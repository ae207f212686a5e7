import { Alert, Badge, MultiSelect, NativeSelect, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import type { GuessedLayout } from "../api/subscriber-calls.ts";
import { Icon } from "../components/icon.tsx";
import { words } from "../words/words.ts";
import { canImport } from "./can-import.ts";

type Ends = GuessedLayout["ends"];
type Csv = Extract<GuessedLayout["layout"], { format: "csv" }>;
type Role = keyof Csv["columns"];
type EndRole = "left" | "subscribed";

const roles: { role: Exclude<Role, EndRole>; label: string; description: string }[] = [
  {
    role: "endpoint",
    get label() {
      return words.subscribers.address;
    },
    get description() {
      return words.subscribers.addressHint;
    },
  },
  {
    role: "p256dh",
    get label() {
      return words.subscribers.key;
    },
    get description() {
      return words.subscribers.keyHint;
    },
  },
  {
    role: "auth",
    get label() {
      return words.subscribers.secret;
    },
    get description() {
      return words.subscribers.secretHint;
    },
  },
  {
    role: "keys",
    get label() {
      return words.subscribers.keyAndSecret;
    },
    get description() {
      return words.subscribers.keyAndSecretHint;
    },
  },
  {
    role: "subscription",
    get label() {
      return words.subscribers.allInOne;
    },
    get description() {
      return words.subscribers.allInOneHint;
    },
  },
];

/** The roles that several columns may have. */
const endRoles: { role: EndRole; label: string; description: string }[] = [
  {
    role: "left",
    get label() {
      return words.subscribers.hasUnsubscribed;
    },
    get description() {
      return words.subscribers.hasUnsubscribedHint;
    },
  },
  {
    role: "subscribed",
    get label() {
      return words.subscribers.isStillSubscribed;
    },
    get description() {
      return words.subscribers.stillSubscribedHint;
    },
  },
];

const delimiters = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "|" };
const shownRecords = 3;

/** The recognized layout of a file, with its first records. The guess of what each column holds can be changed. */
export function ImportColumns({ guess, onChange }: { guess: GuessedLayout; onChange: (layout: Csv) => void }) {
  const { layout, header, records } = guess;
  if (layout.format !== "csv") {
    return (
      <Stack gap="sm">
        <Text size="sm" role="status" data-format={layout.format}>
          {layout.format === "json" ? words.subscribers.formatJsonList : words.subscribers.formatJsonLines}
        </Text>
        <EndsOfFile ends={guess.ends} isTable={false} />
      </Stack>
    );
  }
  const width = Math.max(header.length, ...records.map((record) => record.length));
  const nameOf = (at: number) => header[at]?.trim() || words.subscribers.column({ value: at + 1 });
  const choices = Array.from({ length: width }, (_, at) => ({ value: String(at), label: nameOf(at) }));
  const choose = (role: Role, value: number | number[] | undefined) => {
    const { [role]: _, ...others } = layout.columns;
    onChange({ ...layout, columns: value === undefined ? others : { ...others, [role]: value } });
  };
  return (
    <Stack gap="sm" data-format="csv">
      <Text size="sm" role="status">
        {words.subscribers.formatTable({ width, value: delimiters[layout.delimiter] })}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {roles.map(({ role, label, description }) => (
          <NativeSelect
            key={role}
            label={label}
            description={description}
            value={String(layout.columns[role] ?? "")}
            onChange={({ currentTarget: { value } }) => choose(role, value === "" ? undefined : Number(value))}
            data={[{ value: "", label: words.subscribers.none }, ...choices]}
          />
        ))}
        {endRoles.map(({ role, label, description }) => (
          <MultiSelect
            key={role}
            label={label}
            description={description}
            placeholder={(layout.columns[role] ?? []).length === 0 ? words.subscribers.none : ""}
            value={(layout.columns[role] ?? []).map(String)}
            onChange={(values) => choose(role, values.map(Number))}
            data={choices}
          />
        ))}
      </SimpleGrid>
      <EndsOfFile ends={endsLeft(guess, layout)} isTable />
      <FirstRecords layout={layout} records={records} width={width} nameOf={nameOf} />
      {!canImport(guess) && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
          {words.subscribers.columnsMissing}
        </Alert>
      )}
    </Stack>
  );
}

/** Returns the ends of a table, without those whose columns the person has chosen meanwhile. */
function endsLeft({ ends, header }: GuessedLayout, { columns: { left = [], subscribed = [] } }: Csv): Ends {
  const chosen = new Set([...left, ...subscribed].map((at) => header[at]?.trim()));
  const isOpen = ({ name, values }: Ends["unused"][number]) => values !== undefined || !chosen.has(name);
  return { used: [], unused: ends.unused.filter(isOpen) };
}

/**
 * The columns by which the import leaves out readers who have left, and a warning about columns that look like this
 * and are not used.
 */
function EndsOfFile({ ends: { used, unused }, isTable }: { ends: Ends; isTable: boolean }) {
  const named = unused.map(({ name, values }) => (values === undefined ? name : `${name} (${values.join(", ")})`));
  return (
    <>
      {used.length > 0 && <Text size="sm">{words.subscribers.unsubscribedLeftOut({ names: used.join(", ") })}</Text>}
      {named.length > 0 && (
        <Alert
          color="yellow"
          variant="light"
          icon={<Icon name="warning" />}
          title={words.subscribers.unusedColumnTitle}
          data-unused-ends
        >
          {isTable
            ? words.subscribers.unusedColumnChoose({ names: named.join(", ") })
            : words.subscribers.unusedColumnRemove({ names: named.join(", ") })}
        </Alert>
      )}
    </>
  );
}

type Records = { layout: Csv; records: string[][]; width: number; nameOf: (at: number) => string };

function FirstRecords({ layout, records, width, nameOf }: Records) {
  const roleAt = (at: number) =>
    roles.find(({ role }) => layout.columns[role] === at) ??
    endRoles.find(({ role }) => layout.columns[role]?.includes(at));
  const columns = Array.from({ length: width }, (_, at) => at);
  // Imported columns come first, because an export may have thirty columns.
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
