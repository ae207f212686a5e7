import { List, Paper, Text, Title } from "@mantine/core";
import type { Overview } from "../api/calls.ts";
import { count, decimal, share } from "../components/numbers.ts";
import { words } from "../words/words.ts";

const days = 7;

/**
 * What readers did with the notifications of the last days. Browsers judge a site by this. Shows nothing if none was
 * displayed.
 */
export function SenderReputation({ data }: { data: Overview }) {
  const { accepted, reached, displayed, clickedReporting, dismissed, left, ...pages } = data.reputation;
  if (displayed === 0 && pages.visits === 0 && pages.asked === 0) return null;
  return (
    <Paper data-reputation>
      <Title order={2} size="h4">
        {words.overview.reputationTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.overview.reputationLead}
      </Text>
      <List size="sm" className="figures">
        {displayed > 0 && (
          <>
            <List.Item>{words.overview.clickedOfShown({ clicked: share(clickedReporting, displayed) })}</List.Item>
            <List.Item>{words.overview.dismissedOfShown({ dismissed: share(dismissed, displayed) })}</List.Item>
            <List.Item>{words.overview.leftInTheLastDays({ left, share: share(left, reached + left) })}</List.Item>
            <List.Item>
              {words.overview.nudgesADay({ nudges: decimal(accepted / days / Math.max(reached, 1)) })}
            </List.Item>
          </>
        )}
        {pages.visits > 0 && (
          <List.Item>
            {words.overview.promptedOfVisits({
              visits: count(pages.visits),
              prompted: share(Math.min(pages.prompted, pages.visits), pages.visits),
            })}
          </List.Item>
        )}
        {pages.asked > 0 && (
          <List.Item>
            {words.overview.answersOfAsked({
              asked: count(pages.asked),
              granted: share(pages.granted, pages.asked),
              denied: share(pages.denied, pages.asked),
            })}
          </List.Item>
        )}
      </List>
    </Paper>
  );
}
