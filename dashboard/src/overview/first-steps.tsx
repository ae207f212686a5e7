import { Box, Group, List, Paper, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FirstSteps as Steps } from "../../../src/dashboard-api/first-steps.ts";
import { checkInstallation } from "../api/installation-calls.ts";
import { Icon } from "../components/icon.tsx";
import { ButtonLink } from "../components/links.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

const names = ["line", "worker", "testDevice", "reader", "notification"] as const satisfies (keyof Steps)[];
type Name = (typeof names)[number];

const checkEveryMs = 60_000;

/** The steps of a new site to its first notification. They tick themselves. */
export function FirstSteps({ steps }: { steps: Steps }) {
  useInstallationChecks(steps);
  const { heading, done, allDone } = words.overview.firstSteps;
  const finished = names.filter((name) => steps[name]).length;
  const next = names.find((name) => !steps[name]);
  return (
    <Paper component="section" aria-label={heading}>
      <Group justify="space-between" gap="xs" mb="md">
        <Title order={2} size="h4">
          {heading}
        </Title>
        <Text size="sm" c="dimmed" className="figures" role="status">
          {next === undefined ? allDone : done({ finished, all: names.length })}
        </Text>
      </Group>
      <List type="ordered" listStyleType="none" spacing="md" center={false} styles={{ itemWrapper: { width: "100%" } }}>
        {names.map((name) => (
          <Step key={name} name={name} isDone={steps[name]} isNext={name === next} />
        ))}
      </List>
    </Paper>
  );
}

/**
 * Checks the installation now, each minute, and when the person comes back to this window. The service records what
 * it finds.
 */
function useInstallationChecks({ line, worker }: Steps): void {
  const { tenantId, siteId } = useCurrentSite();
  useQuery({
    queryKey: ["installation", siteId],
    queryFn: () => checkInstallation(tenantId, siteId),
    enabled: !(line && worker),
    refetchInterval: checkEveryMs,
    refetchOnWindowFocus: "always",
    retry: false,
  });
}

function Step({ name, isDone, isNext }: { name: Name; isDone: boolean; isNext: boolean }) {
  const { title, lead } = words.overview.firstSteps[name];
  const { isDoneWord, isOpenWord } = words.overview.firstSteps;
  return (
    <List.Item
      data-step={name}
      data-done={isDone}
      icon={
        <ThemeIcon size={26} radius="xl" variant={isDone ? "light" : "default"} color={isDone ? "green" : "gray"}>
          {isDone ? <Icon name="check" size={16} /> : <span aria-hidden="true">{names.indexOf(name) + 1}</span>}
        </ThemeIcon>
      }
    >
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 260px" miw={0}>
          <Text fw={600}>
            {title}
            <VisuallyHidden> ({isDone ? isDoneWord : isOpenWord})</VisuallyHidden>
          </Text>
          {!isDone && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </Box>
        {!isDone && <Act name={name} isNext={isNext} />}
      </Group>
    </List.Item>
  );
}

/** The link to the page on which a step is done. */
function Act({ name, isNext }: { name: Name; isNext: boolean }): ReactNode {
  const { siteId, canEdit } = useCurrentSite();
  const { act } = words.overview.firstSteps[name];
  const isForEditors = name !== "line" && name !== "worker";
  if (isForEditors && !canEdit) return null;
  const to = {
    line: "/sites/$siteId/integrations",
    worker: "/sites/$siteId/integrations",
    testDevice: "/sites/$siteId/subscribers",
    reader: "/sites/$siteId/subscribers",
    notification: "/sites/$siteId/compose",
  } as const;
  return (
    <ButtonLink to={to[name]} params={{ siteId }} size="sm" variant={isNext ? "filled" : "default"}>
      {act}
    </ButtonLink>
  );
}
