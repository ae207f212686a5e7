import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endFollows, shownKeys } from "../api/follow-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { count } from "../components/numbers.ts";
import { useFollowedKeys } from "../compose/use-followed-keys.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

/** The stories, authors and series that readers follow, by the site's ids. Editors end those that are over. */
export function Followed() {
  const [search, setSearch] = useState("");
  const [searched] = useDebouncedValue(search.trim(), 300);
  const most = useFollowedKeys("").data;
  const { data } = useFollowedKeys(searched);
  if (most === undefined || most.data.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.subscribers.whatReadersFollow}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.whatReadersFollow}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.followedLead}
      </Text>
      {most.nextCursor !== null && (
        <TextInput
          type="search"
          label={words.subscribers.searchWhatReadersFollow}
          description={words.subscribers.searchFollowedHint({ n: shownKeys })}
          mb="sm"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <List followed={data?.data ?? []} />
    </Paper>
  );
}

function List({ followed }: { followed: { key: string; followers: number }[] }) {
  const { tenantId, siteId, canEdit } = useCurrentSite();
  const [ended, setEnded] = useState<string | null>(null);
  const queries = useQueryClient();
  return (
    <>
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {followed.map(({ key, followers }) => (
          <Group key={key} component="li" wrap="nowrap" gap="xs">
            <Text size="sm" dir="auto" flex={1} miw={0} truncate>
              {key}
            </Text>
            <Text size="sm" className="figures">
              {count(followers)}
            </Text>
            {canEdit && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={words.subscribers.endStoryLabel({ story: key })}
                onClick={() => setEnded(key)}
              >
                {words.subscribers.endIt}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      <Confirm
        opened={ended !== null}
        onClose={() => setEnded(null)}
        title={words.subscribers.endStoryTitle}
        action={words.subscribers.endStoryConfirm}
        act={async () => {
          while ((await endFollows(tenantId, siteId, ended!)).hasMore);
          await queries.invalidateQueries();
        }}
      >
        {words.subscribers.endStoryWarning({ story: ended ?? "" })}
      </Confirm>
    </>
  );
}
