import { Button, Group, List, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { readerSettings } from "../api/calls.ts";
import { checkInstallation, type InstallationFinding } from "../api/installation-calls.ts";
import { CopyBlock } from "../components/copy.tsx";
import { FormError } from "../components/form-error.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { manifestOf } from "../components/snippet.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { names, rightWords, wordsOf } from "./installation-words.ts";

const marks: Record<"right" | "wrong" | "unchecked", { icon: IconName; color: string; word: string }> = {
  right: {
    icon: "check",
    color: "green",
    get word() {
      return words.integrations.right;
    },
  },
  wrong: {
    icon: "cross",
    color: "red",
    get word() {
      return words.integrations.toFix;
    },
  },
  unchecked: {
    icon: "info",
    color: "gray",
    get word() {
      return words.integrations.notChecked;
    },
  },
};

/** Reads the site as a reader's browser does, and shows what is right and what to fix. */
export function CheckInstallation() {
  const { tenantId, siteId, site } = useCurrentSite();
  const check = useMutation({ mutationFn: () => checkInstallation(tenantId, siteId) });
  return (
    <Paper component="section" aria-label={words.integrations.checkMyInstallation}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ flex: "1 1 260px" }}>
          <Title order={2} size="h4" mb={4}>
            {words.integrations.checkMyInstallation}
          </Title>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {words.integrations.checkInstallationLead({ url: site.url })}
          </Text>
        </div>
        <Button
          variant={check.data === undefined ? "filled" : "default"}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {check.data === undefined ? words.integrations.checkIt : words.integrations.checkItAgain}
        </Button>
      </Group>
      <FormError error={check.error} />
      <div aria-live="polite">{check.data !== undefined && !check.isPending && <Report {...check.data} />}</div>
    </Paper>
  );
}

function Report({ publicUrl, findings }: { publicUrl: string | null; findings: InstallationFinding[] }) {
  if (publicUrl === null) {
    return (
      <Text size="sm" mt="md">
        {words.integrations.publicAddressMissing}
      </Text>
    );
  }
  const wrong = findings.filter(({ problem }) => problem !== null && problem !== "unchecked").length;
  const isAllChecked = findings.every(({ problem }) => problem !== "unchecked");
  return (
    <Stack gap="sm" mt="md" data-wrong={wrong}>
      <Text fw={600}>{summaryOf(wrong, isAllChecked)}</Text>
      <List spacing="sm" size="sm" listStyleType="none" styles={{ itemWrapper: { alignItems: "flex-start" } }}>
        {findings.map((finding) => (
          <Finding key={finding.check} finding={finding} />
        ))}
      </List>
    </Stack>
  );
}

function summaryOf(wrong: number, isAllChecked: boolean): string {
  if (wrong === 1) return words.integrations.oneProblem;
  if (wrong > 1) return words.integrations.severalProblems({ wrong });
  const next = words.integrations.openSiteHint;
  return isAllChecked ? words.integrations.everythingRight({ next }) : words.integrations.noProblemFound({ next });
}

function Finding({ finding }: { finding: InstallationFinding }) {
  const { check, problem } = finding;
  const state = problem === null ? "right" : problem === "unchecked" ? "unchecked" : "wrong";
  const { icon, color, word } = marks[state];
  return (
    <List.Item
      data-check={check}
      data-state={state}
      icon={
        <ThemeIcon size={22} radius="xl" variant="light" color={color} role="img" aria-label={word}>
          <Icon name={icon} size={14} />
        </ThemeIcon>
      }
    >
      {state === "right" ? (
        rightWords[check]
      ) : (
        <>
          <Text size="sm" fw={600}>
            {names[check]}
          </Text>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {wordsOf(finding)}
          </Text>
          {(problem === "no_manifest" || problem === "not_json") && <ReadyManifest />}
        </>
      )}
    </List.Item>
  );
}

function ReadyManifest() {
  const { tenantId, siteId, site } = useCurrentSite();
  const { data } = useQuery({
    queryKey: ["reader-settings", siteId],
    queryFn: () => readerSettings(tenantId, siteId),
  });
  const { file, line } = manifestOf({ name: site.name, iconUrl: data?.iconUrl ?? null });
  const { aReadyManifest, textOfTheManifest, lineForTheManifest } = words.integrations;
  return (
    <Stack gap="xs" mt="xs">
      <CopyBlock text={file} label={textOfTheManifest} caption={aReadyManifest} />
      <CopyBlock text={line} label={lineForTheManifest} />
    </Stack>
  );
}
