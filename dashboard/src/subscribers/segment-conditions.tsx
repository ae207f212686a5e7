import { Chip, Group, MultiSelect, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Subscribers } from "../api/calls.ts";
import type { SegmentRule, Segments } from "../api/segment-calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { nameOfPushService } from "../components/push-service-names.ts";
import { WholeNumber } from "../components/whole-number.tsx";
import { shownTopics } from "../compose/shown-topics.ts";
import { commonLanguages } from "../words/common-languages.ts";
import { locale, nameOfLanguage } from "../words/language.ts";
import { words } from "../words/words.ts";
import { nameOfTopic } from "./segment-words.ts";

// The inputs of a segment's form, one for each condition of a rule.

export const daysFields = [
  "subscribedWithinDays",
  "subscribedBeforeDays",
  "seenWithinDays",
  "notSeenForDays",
  "clickedWithinDays",
  "notClickedForDays",
] as const;
type DaysField = (typeof daysFields)[number];
const topicFields = ["any", "all", "none"] as const;

/** The rule of a form, and how a condition changes it. `error`: why it was not saved, or null. */
type Part = { rule: SegmentRule; set: (change: Partial<SegmentRule>) => void; error: unknown };

function Fields({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {legend}
      </Text>
      {children}
    </fieldset>
  );
}

export function Days(
  props: Part & { legend: string; within: DaysField; before: DaysField; beforeLabel: string; disabled?: boolean },
) {
  const { legend, within, before, beforeLabel, ...part } = props;
  return (
    <Fields legend={legend}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DaysInput {...part} name={within} label={words.subscribers.inTheLast} />
        <DaysInput {...part} name={before} label={beforeLabel} />
      </SimpleGrid>
    </Fields>
  );
}

function DaysInput({
  name,
  label,
  rule,
  set,
  error,
  disabled = false,
}: Part & { name: DaysField; label: string; disabled?: boolean }) {
  return (
    <WholeNumber
      label={label}
      disabled={disabled && rule[name] === undefined}
      value={rule[name]}
      write={(value) => set({ [name]: value ?? undefined })}
      error={faultIn(error, `rule/${name}`)}
    />
  );
}

export function Clicks({
  countsClicks,
  clicksKnownFrom,
  ...part
}: Part & Pick<Segments, "countsClicks" | "clicksKnownFrom">) {
  const day = new Date(`${clicksKnownFrom}T12:00:00Z`).toLocaleDateString(locale, { timeZone: "UTC" });
  return (
    <Stack gap={4}>
      <Days
        {...part}
        legend={words.subscribers.clickedANudge}
        within="clickedWithinDays"
        before="notClickedForDays"
        beforeLabel={words.subscribers.notInTheLast}
        disabled={!countsClicks}
      />
      <Text size="xs" c="dimmed">
        {countsClicks ? words.subscribers.clicksAreKnownSince({ day }) : words.subscribers.clicksAreNotKnown}
      </Text>
    </Stack>
  );
}

export function Topics({ rule, set, topics }: Part & { topics: Subscribers["topics"] }) {
  const labels = {
    any: words.subscribers.anyOfTheseTopics,
    all: words.subscribers.allOfTheseTopics,
    none: words.subscribers.noneOfTheseTopics,
  };
  const named = topicFields.flatMap((field) => rule.topics?.[field] ?? []);
  const ids = [...new Set([...topics.map(({ topicId }) => topicId), ...named])];
  if (ids.length === 0) return null;
  const choices = ids.map((id) => ({ value: id, label: nameOfTopic(id, topics) }));
  const Field = choices.length > shownTopics ? SearchedTopics : Choice;
  return topicFields.map((field) => (
    <Field
      key={field}
      legend={labels[field]}
      choices={choices}
      chosen={rule.topics?.[field] ?? []}
      onChange={(chosen) => set({ topics: { ...rule.topics, [field]: chosen } })}
    />
  ));
}

export function PushServices({ rule, set, pushServices }: Part & { pushServices: string[] }) {
  const all = [...new Set([...pushServices, ...(rule.pushServices ?? [])])];
  if (all.length === 0) return null;
  return (
    <Choice
      legend={words.subscribers.pushServiceOfTheBrowser}
      choices={all.map((pushService) => ({ value: pushService, label: nameOfPushService(pushService) }))}
      chosen={rule.pushServices ?? []}
      onChange={(pushServices) => set({ pushServices })}
    />
  );
}

export function TimeZones({ rule: { timeZones = [] }, set, error }: Part) {
  return (
    <MultiSelect
      label={words.subscribers.timeZoneOfTheReader}
      description={words.subscribers.unknownTimeZones}
      data={[...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...timeZones])]}
      value={timeZones}
      onChange={(chosen) => set({ timeZones: chosen })}
      error={faultIn(error, "rule/timeZones")}
      maxValues={100}
      searchable
    />
  );
}

export function Languages({ rule: { languages = [] }, set, error }: Part) {
  const choices = [...new Set([...commonLanguages, ...languages])].map((tag) => ({
    value: tag,
    label: nameOfLanguage(tag),
  }));
  return (
    <MultiSelect
      label={words.subscribers.languageOfTheBrowser}
      description={words.subscribers.unknownLanguages}
      data={choices.sort((one, other) => one.label.localeCompare(other.label))}
      value={languages}
      onChange={(chosen) => set({ languages: chosen })}
      error={faultIn(error, "rule/languages")}
      maxValues={50}
      searchable
    />
  );
}

/** Chips for the values of each fact. A value that is no longer declared is shown while the rule has it. */
export function Facts({ rule: { facts = {} }, set, declared }: Part & { declared: Segments["facts"] }) {
  const gone = Object.keys(facts).filter((name) => !declared.some((fact) => fact.name === name));
  return [...declared, ...gone.map((name) => ({ name, label: name, values: [] }))].map(({ name, label, values }) => (
    <Choice
      key={name}
      legend={label}
      choices={[...new Set([...values, ...(facts[name] ?? [])])].map((value) => ({ value, label: value }))}
      chosen={facts[name] ?? []}
      onChange={(chosen) => set({ facts: { ...facts, [name]: chosen } })}
    />
  ));
}

type ChoiceProps = {
  legend: string;
  choices: { value: string; label: string }[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
};

function SearchedTopics({ legend, choices, chosen, onChange }: ChoiceProps) {
  return (
    <MultiSelect
      label={legend}
      data={choices}
      value={chosen}
      onChange={onChange}
      limit={shownTopics}
      maxValues={100}
      nothingFoundMessage={words.compose.noSuchTopic}
      searchable
    />
  );
}

function Choice({ legend, choices, chosen, onChange }: ChoiceProps) {
  return (
    <Fields legend={legend}>
      <Group gap={8}>
        <Chip.Group multiple value={chosen} onChange={onChange}>
          {choices.map(({ value, label }) => (
            <Chip key={value} value={value} size="xs">
              {label}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
    </Fields>
  );
}
