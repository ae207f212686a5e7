import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type {
  PromptFigures as Figures,
  PromptComparison,
  ReportedPrompt,
} from "../../../src/dashboard-api/reports/prompt-report.ts";
import { promptReport } from "../api/prompt-calls.ts";
import { count, share } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Line = Figures & { key: string; name: ReactNode };

/** How often each prompt was shown, and readers then allowed notifications; and which of two is better. */
export function PromptFigures() {
  const { tenantId, siteId } = useCurrentSite();
  const query = useQuery({ queryKey: ["prompts", siteId], queryFn: () => promptReport(tenantId, siteId) });
  const { howReadersAnswer, eachTimeItWasShown, noPromptWasShown, eachPromptAndRule } = words.prompts;
  return (
    <Paper component="section" aria-label={howReadersAnswer}>
      <Stack>
        <div>
          <Title order={2} size="h4">
            {howReadersAnswer}
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            {eachTimeItWasShown}
          </Text>
        </div>
        <Loaded of={query}>
          {({ prompts, comparison }) => (
            <>
              {comparison && <Comparison comparison={comparison} />}
              {prompts.length === 0 ? (
                <Text size="sm">{noPromptWasShown}</Text>
              ) : (
                <Lines label={eachPromptAndRule} lines={prompts.map(lineOf)} />
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Paper>
  );
}

function Comparison({ comparison: { since, own, other, better } }: { comparison: PromptComparison }) {
  const { timeZone } = useCurrentSite().site;
  const { theComparisonSince, noDifference, verdicts, first, second } = words.prompts;
  return (
    <div>
      <Text size="sm" fw={500} role="status">
        {better === null ? noDifference : verdicts[better]}
      </Text>
      <Lines
        label={theComparisonSince({ when: momentIn(timeZone, since) })}
        lines={[
          { key: "first", name: first, ...own },
          { key: "second", name: second, ...other },
        ]}
      />
    </div>
  );
}

function Lines({ label, lines }: { label: string; lines: Line[] }) {
  const { shown, allowed, rate } = words.prompts;
  return (
    <Table.ScrollContainer
      minWidth={300}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, "aria-label": label, role: "region" } }}
    >
      <Table verticalSpacing="xs" className="figures" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{label}</Table.Th>
            {[shown, allowed, rate].map((name) => (
              <Table.Th key={name} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.key}>
              <Table.Td>{line.name}</Table.Td>
              <Table.Td ta="right">{count(line.shown)}</Table.Td>
              <Table.Td ta="right">{count(line.granted)}</Table.Td>
              <Table.Td ta="right">{line.rate === null ? "–" : share(line.rate, 1)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function lineOf({ texts, rule, ...figures }: ReportedPrompt): Line {
  const name = (
    <>
      <Text size="sm" dir="auto">
        {texts.title}
      </Text>
      <Text size="xs" c="dimmed" dir="auto">
        {texts.body}
      </Text>
      <Text size="xs" c="dimmed">
        {sayRule(rule)}
      </Text>
    </>
  );
  return { key: JSON.stringify([texts, rule]), name, ...figures };
}

function sayRule(rule: ReportedPrompt["rule"]): string {
  const { fromPage, fromVisit, delaySeconds, scrollPercent, onlyPaths, neverPaths } = rule;
  const { rule: ofPages, ruleOfScroll, ruleOfOnly, ruleOfNever } = words.prompts;
  const parts = [
    ofPages({ page: count(fromPage), visit: count(fromVisit), seconds: count(delaySeconds) }),
    ...(scrollPercent > 0 ? [ruleOfScroll({ percent: share(scrollPercent, 100) })] : []),
    ...(onlyPaths.length > 0 ? [ruleOfOnly({ paths: onlyPaths.join(", ") })] : []),
    ...(neverPaths.length > 0 ? [ruleOfNever({ paths: neverPaths.join(", ") })] : []),
  ];
  return parts.join(", ");
}
