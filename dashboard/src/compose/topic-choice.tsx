import { Chip, Group, MultiSelect, Text } from "@mantine/core";
import type { Subscribers } from "../api/calls.ts";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";
import { shownTopics } from "./shown-topics.ts";

/** The choice of a campaign's topics. Without a topic, it goes to everybody. */
export function TopicChoice(props: {
  topics: Subscribers["topics"];
  value: string[];
  onChange: (topicIds: string[]) => void;
}) {
  return props.topics.length > shownTopics ? <SearchedTopics {...props} /> : <ListedTopics {...props} />;
}

function ListedTopics({ topics, value, onChange }: Parameters<typeof TopicChoice>[0]) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
      <Text component="legend" size="sm" fw={500} mb={8}>
        {words.compose.topicsLabel}
      </Text>
      <Group gap={8}>
        <Chip checked={value.length === 0} onChange={() => onChange([])}>
          {words.compose.everybody}
        </Chip>
        <Chip.Group multiple value={value} onChange={onChange}>
          {topics.map(({ topicId, name, n }) => (
            <Chip key={topicId} value={topicId}>
              {name} · {count(n)}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
    </fieldset>
  );
}

function SearchedTopics({ topics, value, onChange }: Parameters<typeof TopicChoice>[0]) {
  return (
    <MultiSelect
      label={words.compose.topicsLabel}
      description={words.compose.searchTopicsHint({ n: topics.length })}
      {...(value.length === 0 && { placeholder: words.compose.everybody })}
      data={topics.map(({ topicId, name, n }) => ({ value: topicId, label: `${name} · ${count(n)}` }))}
      value={value}
      onChange={onChange}
      limit={shownTopics}
      maxValues={100}
      nothingFoundMessage={words.compose.noSuchTopic}
      clearable
      searchable
    />
  );
}
