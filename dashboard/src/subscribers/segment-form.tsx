import { Button, Chip, Group, Modal, MultiSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import {
  addSegment,
  changeSegment,
  countSegment,
  type Segment,
  type SegmentRule,
  type Segments,
} from "../api/segment-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { people } from "../components/numbers.ts";
import { WholeNumber } from "../components/whole-number.tsx";
import { shownTopics } from "../compose/topic-choice.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";
import { nameOfPushService } from "./push-service-names.ts";
import { nameOfLanguage, nameOfTopic } from "./segment-words.ts";

const daysFields = [
  "subscribedWithinDays",
  "subscribedBeforeDays",
  "seenWithinDays",
  "notSeenForDays",
  "clickedWithinDays",
  "notClickedForDays",
] as const;
type DaysField = (typeof daysFields)[number];
const topicFields = ["any", "all", "none"] as const;

type Part = { rule: SegmentRule; set: (change: Partial<SegmentRule>) => void; error: unknown };

/** The form of a segment, or of a new one (null), with the readers that it has now. `clicks`: what is known of them, and what
 * the site says of readers. */
export function SegmentForm(props: {
  segment: Segment | null;
  subscribers: Subscribers;
  clicks: Pick<Segments, "countsClicks" | "clicksKnownFrom" | "facts">;
  onClose: () => void;
}) {
  const { segment, subscribers, clicks, onClose } = props;
  const { tenantId, siteId } = useCurrentSite();
  const [name, setName] = useState(segment?.name ?? "");
  const [rule, setRule] = useState<SegmentRule>(segment?.rule ?? {});
  const queries = useQueryClient();
  const save = useMutation({
    async mutationFn() {
      if (segment === null) await addSegment(tenantId, siteId, { name, rule });
      else await changeSegment(tenantId, siteId, segment.segmentId, { name, rule });
    },
    async onSuccess() {
      onClose();
      await queries.invalidateQueries();
    },
  });
  const part = { rule, set: (change: Partial<SegmentRule>) => setRule((now) => without({ ...now, ...change })) };
  const form = { ...part, error: save.error };
  const title = segment === null ? words.subscribers.newSegment : words.subscribers.changeThisSegment;
  return (
    <Modal opened onClose={onClose} size="lg" title={<b>{title}</b>} data-testid="segment-form">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <FormError
            error={save.error}
            fields={["name", ...[...daysFields, "timeZones", "languages"].map((field) => `rule/${field}`)]}
          />
          <TextInput
            label={words.subscribers.nameOfTheSegment}
            placeholder={words.subscribers.regulars}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultIn(save.error, "name")}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            {words.subscribers.allOfTheseHold}
          </Text>
          <Days
            {...form}
            legend={words.subscribers.subscribed}
            within="subscribedWithinDays"
            before="subscribedBeforeDays"
            beforeLabel={words.subscribers.longerAgo}
          />
          <Days
            {...form}
            legend={words.subscribers.wasHere}
            within="seenWithinDays"
            before="notSeenForDays"
            beforeLabel={words.subscribers.notInTheLast}
          />
          <Clicks {...form} {...clicks} />
          <Topics {...form} topics={subscribers.topics} />
          <PushServices {...form} pushServices={subscribers.pushServices.map(({ pushService }) => pushService)} />
          <TimeZones {...form} />
          <Languages {...form} />
          <Facts {...form} declared={clicks.facts} />
          <Group justify="space-between">
            <Readers rule={rule} />
            <Button type="submit" loading={save.isPending}>
              {words.subscribers.saveSegment}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A rule without the conditions that were emptied. */
function without({ topics, facts, ...others }: SegmentRule): SegmentRule {
  const given = (of: object) => Object.entries(of).filter(([, value]) => value !== undefined && value.length !== 0);
  const named = given(topics ?? {});
  const told = given(facts ?? {});
  return {
    ...Object.fromEntries(given(others)),
    ...(named.length > 0 && { topics: Object.fromEntries(named) }),
    ...(told.length > 0 && { facts: Object.fromEntries(told) }),
  };
}

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

function Days(
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

function Clicks({ countsClicks, clicksKnownFrom, ...part }: Part & Pick<Segments, "countsClicks" | "clicksKnownFrom">) {
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

function Topics({ rule, set, topics }: Part & { topics: Subscribers["topics"] }) {
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

function PushServices({ rule, set, pushServices }: Part & { pushServices: string[] }) {
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

function TimeZones({ rule: { timeZones = [] }, set, error }: Part) {
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

/** Languages in which newspapers appear, most of them; a rule by API can have any other. */
const commonLanguages = [
  "ar",
  "bg",
  "bn",
  "bs",
  "ca",
  "cs",
  "cy",
  "da",
  "de",
  "el",
  "en",
  "es",
  "et",
  "eu",
  "fa",
  "fi",
  "fr",
  "ga",
  "gl",
  "he",
  "hi",
  "hr",
  "hu",
  "hy",
  "id",
  "is",
  "it",
  "ja",
  "ka",
  "ko",
  "lb",
  "lt",
  "lv",
  "mk",
  "mr",
  "ms",
  "mt",
  "nb",
  "nl",
  "nn",
  "pa",
  "pl",
  "pt",
  "rm",
  "ro",
  "ru",
  "sk",
  "sl",
  "sq",
  "sr",
  "sv",
  "sw",
  "ta",
  "te",
  "th",
  "tr",
  "uk",
  "ur",
  "vi",
  "zh",
];

function Languages({ rule: { languages = [] }, set, error }: Part) {
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

/** A value that the site does not declare any more is shown as long as the rule has it. */
function Facts({ rule: { facts = {} }, set, declared }: Part & { declared: Segments["facts"] }) {
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

/** How many readers the rule has now, as soon as the typing pauses. */
function Readers({ rule }: { rule: SegmentRule }) {
  const { tenantId, siteId } = useCurrentSite();
  const [counted] = useDebouncedValue(rule, 400);
  const size = useQuery({
    queryKey: ["segment-size", siteId, JSON.stringify(counted)],
    queryFn: () => countSegment(tenantId, siteId, counted),
    enabled: Object.keys(counted).length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (Object.keys(rule).length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.subscribers.fillInACondition}
      </Text>
    );
  }
  const [fault] = size.error === null ? [] : toApiError(size.error).faults;
  return (
    <Text size="sm" fw={600} className="figures" aria-live="polite" data-testid="segment-size">
      {fault?.message ??
        (size.data === undefined
          ? "…"
          : words.subscribers.wouldGetItNow({ people: people(size.data.readers, size.data.exact) }))}
    </Text>
  );
}
