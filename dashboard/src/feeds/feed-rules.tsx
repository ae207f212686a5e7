import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useId } from "react";
import type { NewFeed } from "../api/feed-calls.ts";
import { faultIn } from "../components/form-error.tsx";
import { WholeNumber } from "../components/whole-number.tsx";
import { SegmentChoice } from "../compose/segment-choice.tsx";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { words } from "../words/words.ts";

export type Rules = Omit<NewFeed, "url" | "suggest">;

/** The defaults of the service. */
export const defaultRules: Rules = {
  topics: [],
  segment: "",
  unmatched: "skip",
  atLimit: "skip",
  hourlyLimit: 3,
  dailyLimit: 10,
};

/** Returns the names of the fields of a form with rules, which shows their faults beside them. */
export function fieldsOfRules({ topics }: Rules): string[] {
  const ofTopics = topics.flatMap((_, at) => [`topics/${at}/category`, `topics/${at}/topicId`]);
  return ["hourlyLimit", "dailyLimit", "atLimit", "unmatched", "segment", ...ofTopics];
}

type Part = { rules: Rules; set: (change: Partial<Rules>) => void; error: unknown; disabled?: boolean };

/**
 * The fields for how many items of a feed are sent, and to which topics. `categories`: the known categories of its
 * items.
 */
export function FeedRules(props: Part & { categories: string[] }) {
  const { rules, set, error, disabled } = props;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <LimitInput name="hourlyLimit" label={words.feeds.hourlyLimit} {...props} />
        <LimitInput name="dailyLimit" label={words.feeds.dailyLimit} {...props} />
      </SimpleGrid>
      <AtLimit {...props} />
      <TopicRules {...props} />
      <SegmentChoice
        value={rules.segment}
        none={words.feeds.noSegment}
        onChange={(segment) => set({ segment })}
        disabled={disabled ?? false}
        error={faultIn(error, "segment")}
      />
    </Stack>
  );
}

function LimitInput({
  name,
  label,
  rules,
  set,
  error,
  disabled,
}: Part & { name: "hourlyLimit" | "dailyLimit"; label: string }) {
  return (
    <WholeNumber
      label={label}
      disabled={disabled ?? false}
      value={rules[name]}
      write={(value) => set({ [name]: value })}
      error={faultIn(error, name)}
    />
  );
}

function AtLimit({ rules, set, error, disabled }: Part) {
  return (
    <NativeSelect
      label={words.feeds.atLimitLabel}
      disabled={disabled ?? false}
      value={rules.atLimit}
      data={[
        { value: "skip", label: words.feeds.isNotSent },
        { value: "wait", label: words.feeds.waitsAtLimit },
      ]}
      onChange={(event) => set({ atLimit: event.currentTarget.value as Rules["atLimit"] })}
      error={faultIn(error, "atLimit")}
    />
  );
}

function TopicRules({ rules, set, error, disabled = false, categories }: Part & { categories: string[] }) {
  const known = useSubscribers().data?.topics ?? [];
  const listId = useId();
  const { topics, unmatched } = rules;
  const change = (at: number, rule: Partial<Rules["topics"][number]>) =>
    set({ topics: topics.map((old, i) => (i === at ? { ...old, ...rule } : old)) });
  const add = () => set({ topics: [...topics, { category: "", topicId: known[0]!.topicId }] });
  const names = known.map(({ topicId, name }) => ({ value: topicId, label: name }));
  return (
    <Stack gap="xs" role="group" aria-label={words.feeds.topicsByCategory}>
      <Text size="sm" fw={500}>
        {words.feeds.topicsByCategory}
      </Text>
      <Text size="sm" c="dimmed">
        {known.length === 0
          ? words.feeds.topicRulesNeedTopics
          : topics.length === 0
            ? words.feeds.noTopicRules
            : words.feeds.topicRulesLead}
      </Text>
      <datalist id={listId}>
        {categories.map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
      {topics.map(({ category, topicId }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other stable key while it is edited
        <Group key={at} align="flex-start" gap="xs">
          <TextInput
            flex="1 1 140px"
            aria-label={words.feeds.categoryOfRule({ value: at + 1 })}
            placeholder={words.feeds.category}
            list={listId}
            disabled={disabled}
            value={category}
            onChange={(event) => change(at, { category: event.currentTarget.value })}
            error={faultIn(error, `topics/${at}/category`)}
          />
          <NativeSelect
            flex="1 1 140px"
            aria-label={words.feeds.topicOfRule({ value: at + 1 })}
            disabled={disabled}
            value={topicId}
            data={names}
            onChange={(event) => change(at, { topicId: event.currentTarget.value })}
            error={faultIn(error, `topics/${at}/topicId`)}
          />
          {!disabled && (
            <Button
              variant="subtle"
              color="red"
              aria-label={words.feeds.removeRule({ value: at + 1 })}
              onClick={() => set({ topics: topics.filter((_, i) => i !== at) })}
            >
              {words.feeds.remove}
            </Button>
          )}
        </Group>
      ))}
      {topics.length > 0 && (
        <NativeSelect
          label={words.feeds.unmatchedItems}
          disabled={disabled}
          value={unmatched}
          data={[
            { value: "skip", label: words.feeds.isNotSent },
            { value: "everyone", label: words.feeds.goesToEverybody },
          ]}
          onChange={(event) => set({ unmatched: event.currentTarget.value as Rules["unmatched"] })}
        />
      )}
      {!disabled && known.length > 0 && (
        <Button variant="default" size="compact-sm" w="fit-content" onClick={add}>
          {words.feeds.addARule}
        </Button>
      )}
    </Stack>
  );
}
