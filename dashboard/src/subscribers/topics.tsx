import { Button, Group, Modal, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addTopic, type Subscribers } from "../api/calls.ts";
import { changeTopic } from "../api/subscriber-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError, faultIn } from "../components/form-error.tsx";
import { count } from "../components/numbers.ts";
import { shownTopics } from "../compose/shown-topics.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Topic = Subscribers["topics"][number];

/** The topics of a site, which editors add, rename and retire. */
export function Topics({ data: { topics } }: { data: Subscribers }) {
  const { canEdit } = useCurrentSite();
  return (
    <Paper component="section" aria-label={words.subscribers.topics}>
      <Title order={2} size="h4" mb="md">
        {words.subscribers.topics}
      </Title>
      {topics.length === 0 ? (
        <Text size="sm" c="dimmed" mb="md">
          {words.subscribers.noTopicsYet}
        </Text>
      ) : (
        <List topics={topics} />
      )}
      {canEdit && <NewTopic />}
    </Paper>
  );
}

function List({ topics }: { topics: Topic[] }) {
  const { tenantId, siteId, canEdit } = useCurrentSite();
  const [renamed, setRenamed] = useState<Topic | null>(null);
  const [retired, setRetired] = useState<Topic | null>(null);
  const [search, setSearch] = useState("");
  const queries = useQueryClient();
  const found = topics.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      {topics.length > shownTopics && (
        <TextInput
          type="search"
          label={words.subscribers.searchTheTopics}
          mb="sm"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Stack gap="xs" mb="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {found.slice(0, shownTopics).map((topic) => (
          <Group key={topic.topicId} component="li" wrap="nowrap" gap="xs">
            <Text size="sm" dir="auto" flex={1} miw={0} truncate>
              {topic.name}
            </Text>
            <Text size="sm" className="figures">
              {count(topic.n)}
            </Text>
            {canEdit && (
              <>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={words.subscribers.renameTopicLabel({ name: topic.name })}
                  onClick={() => setRenamed(topic)}
                >
                  {words.subscribers.rename}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={words.subscribers.retireTopicLabel({ name: topic.name })}
                  onClick={() => setRetired(topic)}
                >
                  {words.subscribers.retire}
                </Button>
              </>
            )}
          </Group>
        ))}
      </Stack>
      <Text size="sm" c="dimmed" mb="md" aria-live="polite">
        {found.length === 0
          ? words.compose.noSuchTopic
          : found.length > shownTopics && words.subscribers.moreTopics({ n: found.length - shownTopics })}
      </Text>
      {renamed && <Rename topic={renamed} onClose={() => setRenamed(null)} />}
      <Confirm
        opened={retired !== null}
        onClose={() => setRetired(null)}
        title={words.subscribers.retireTopicTitle}
        action={words.subscribers.retireTopicConfirm}
        act={async () => {
          await changeTopic(tenantId, siteId, retired!.topicId, { retired: true });
          await queries.invalidateQueries();
        }}
      >
        {words.subscribers.retireTopicWarning({ name: retired?.name ?? "" })}
      </Confirm>
    </>
  );
}

function Rename({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const { tenantId, siteId } = useCurrentSite();
  const [name, setName] = useState(topic.name);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => changeTopic(tenantId, siteId, topic.topicId, { name }),
    async onSuccess() {
      onClose();
      await queries.invalidateQueries();
    },
  });
  return (
    <Modal opened onClose={onClose} title={<b>{words.subscribers.renameTopicTitle}</b>}>
      <NameForm
        label={words.subscribers.newName}
        action={words.subscribers.rename}
        name={name}
        onName={setName}
        error={save.error}
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
      />
    </Modal>
  );
}

function NewTopic() {
  const { tenantId, siteId } = useCurrentSite();
  const [name, setName] = useState("");
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => addTopic(tenantId, siteId, name),
    async onSuccess() {
      setName("");
      await queries.invalidateQueries();
    },
  });
  return (
    <NameForm
      label={words.subscribers.newTopic}
      action={words.subscribers.add}
      name={name}
      onName={setName}
      error={add.error}
      isPending={add.isPending}
      onSubmit={() => add.mutate()}
    />
  );
}

function NameForm(props: {
  label: string;
  action: string;
  name: string;
  onName: (name: string) => void;
  error: Error | null;
  isPending: boolean;
  onSubmit: () => void;
}) {
  const { label, action, name, onName, error, isPending, onSubmit } = props;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="xs">
        <FormError error={error} fields={["name"]} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label={label}
            placeholder={words.subscribers.newTopicExample}
            flex={1}
            value={name}
            onChange={(event) => onName(event.currentTarget.value)}
            error={faultIn(error, "name")}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
