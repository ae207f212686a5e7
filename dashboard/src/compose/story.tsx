import { Alert, Button, Group, Loader, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Verdict } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import { AddressInput } from "../components/address-input.tsx";
import { Icon } from "../components/icon.tsx";
import { Reasons } from "../components/reasons.tsx";
import { worthOf } from "../components/worth.ts";
import { words } from "../words/words.ts";
import type { Draft } from "./draft.ts";

/** The field for the URL of a story, with Pressbell's decision on it. */
export function Story(props: {
  draft: Draft;
  write: (change: Partial<Draft>) => void;
  verdict: UseQueryResult<Verdict>;
  /** Reads the page of the story again. */
  readAgain: () => void;
  /** Whether the draft is of a scheduled notification, whose story cannot change. */
  isScheduled: boolean;
}) {
  const { draft, write, verdict, readAgain, isScheduled } = props;
  const isManual = draft.mode === "manual";
  return (
    <Paper component="section" aria-label={words.compose.story}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {isManual ? words.compose.clickAddressTitle : words.compose.story}
          </Title>
          {!isScheduled && (
            <Button variant="subtle" size="compact-sm" onClick={() => write({ mode: isManual ? "url" : "manual" })}>
              {isManual ? words.compose.writeItFromAStory : words.compose.writeItByHand}
            </Button>
          )}
        </Group>
        <AddressInput
          label={isManual ? words.compose.addressThatOpens : words.compose.addressOfTheStory}
          autoFocus={!isScheduled}
          readOnly={isScheduled && !isManual}
          value={draft.url}
          write={(url) => write({ url })}
          rightSection={verdict.isFetching ? <Loader size={16} /> : null}
          description={describe(isManual, isScheduled)}
        />
        <div aria-live="polite">{!isManual && <Decision verdict={verdict} readAgain={readAgain} />}</div>
      </Stack>
    </Paper>
  );
}

function describe(isManual: boolean, isScheduled: boolean): string | undefined {
  if (isManual) return undefined;
  return isScheduled ? words.compose.otherStoryHint : words.compose.storyAddressHint;
}

function Decision(props: { verdict: UseQueryResult<Verdict>; readAgain: () => void }) {
  const { data, error, isFetching } = props.verdict;
  const again = (
    <Button size="xs" variant="default" loading={isFetching} onClick={props.readAgain}>
      {words.compose.readThePageAgain}
    </Button>
  );
  if (error !== null) {
    const { message, faults } = toApiError(error);
    return (
      <Alert color="red" variant="light" icon={<Icon name="warning" />}>
        <Stack gap="xs" align="flex-start">
          <div>{[message, ...faults.map((fault) => fault.message)].join(" ")}</div>
          {again}
        </Stack>
      </Alert>
    );
  }
  if (data === undefined) return null;
  const isSend = data.decision === "send";
  return (
    <Stack gap="sm" align="flex-start" data-decision={data.decision} aria-busy={isFetching}>
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon color={isSend ? "green" : "red"} variant="light" radius="xl" size={36}>
          <Icon name={isSend ? "check" : "cross"} />
        </ThemeIcon>
        <div>
          <Text fw={600}>{worthOf(data)}</Text>
          <Text size="sm" c="dimmed">
            {isSend ? words.compose.storyScore({ score: Math.round(data.score * 100) }) : words.compose.sendAnywayHint}
          </Text>
        </div>
      </Group>
      <Reasons reasons={data.reasons} />
      {!isSend && again}
    </Stack>
  );
}
