import { Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type {
  PromptComparison,
  PromptFigures as PromptCounts,
  ReportedPrompt,
} from "../../../src/dashboard-api/reports/prompt-report.ts";
import { promptReport } from "../api/prompt-calls.ts";
import { Figures } from "../components/figures.tsx";
import { count, share } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type Line = PromptCounts & { key: string; name: ReactNode };

/**
 * How often each prompt was shown and how often readers then allowed notifications. If there are two, which one is
 * better.
 */
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
  const rows = lines.map(({ key, name, ...of }) => ({
    key,
    name,
    cells: [count(of.shown), count(of.granted), of.rate === null ? "–" : share(of.rate, 1)],
  }));
  return <Figures name={label} heads={[shown, allowed, rate]} rows={rows} minWidth={300} />;
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
