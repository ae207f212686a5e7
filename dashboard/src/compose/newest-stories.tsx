import { Badge, Paper, Text, Title, UnstyledButton } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import type { Verdict } from "../api/calls.ts";
import { type NewestStory, newestStories } from "../api/feed-calls.ts";
import { StoryPicture } from "../components/story-picture.tsx";
import { Moment } from "../components/times.tsx";
import { type CurrentSite, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import classes from "./newest-stories.module.css";
import { verdictQuery } from "./verdict-query.ts";

/** Returns the query of the newest stories in the site's feeds. */
export const newestStoriesQuery = ({ tenantId, siteId }: CurrentSite) => ({
  queryKey: ["newest-stories", siteId],
  queryFn: () => newestStories(tenantId, siteId),
});

/**
 * The newest stories of the site's feeds, each with its decision, to choose by a click. Shows nothing if the site has
 * no feed, or its feeds have no new stories.
 */
export function NewestStories({ chosen, choose }: { chosen: string; choose: (url: string) => void }) {
  const { data: stories = [] } = useQuery(newestStoriesQuery(useCurrentSite()));
  const verdicts = useVerdicts(stories);
  if (stories.length === 0) return null;
  return (
    <Paper component="section" aria-label={words.compose.newestStories}>
      <Title order={2} size="h4" mb="sm">
        {words.compose.newestStories}
      </Title>
      <ul className={classes.row}>
        {stories.map((story, at) => (
          <li key={story.url} className={classes.item}>
            <Card
              story={story}
              verdict={verdicts[at]}
              isChosen={story.url === chosen}
              onClick={() => choose(story.url)}
            />
          </li>
        ))}
      </ul>
    </Paper>
  );
}

/**
 * Returns the decisions. Asks for them one after another, because each reads a page of the site. Skips stories that
 * were sent.
 */
function useVerdicts(stories: NewestStory[]): (Verdict | undefined)[] {
  const currentSite = useCurrentSite();
  const results = useQueries({
    queries: stories.map((story) => ({ ...verdictQuery(currentSite, { url: story.url }), enabled: false })),
  });
  const next = stories.findIndex(({ status }, at) => status !== "sent" && results[at]?.isPending && !results[at].error);
  const url = stories[next]?.url ?? "";
  useQuery({ ...verdictQuery(currentSite, { url }), enabled: url !== "", retry: false });
  return results.map(({ data }) => data);
}

type CardProps = { story: NewestStory; verdict: Verdict | undefined; isChosen: boolean; onClick: () => void };

function Card({ story, verdict, isChosen, onClick }: CardProps) {
  const { timeZone } = useCurrentSite().site;
  const picture = story.imageUrl ?? verdict?.nudge.imageUrl ?? "";
  return (
    <UnstyledButton className={classes.card} aria-pressed={isChosen} onClick={onClick} data-story={story.url}>
      <span className={classes.frame}>
        <StoryPicture url={picture} className={classes.picture} />
      </span>
      <Text size="sm" fw={600} lineClamp={3} dir="auto" component="span" className={classes.title}>
        {story.title}
      </Text>
      <span className={classes.foot}>
        <Text size="xs" c="dimmed" component="span">
          <Moment at={story.publishedAt} timeZone={timeZone} />
        </Text>
        <State story={story} verdict={verdict} />
      </span>
    </UnstyledButton>
  );
}

/** The state of the story, or else what Pressbell advises. */
function State({ story: { status }, verdict }: Pick<CardProps, "story" | "verdict">) {
  const { color, label } = stateOf(status, verdict);
  if (label === "") return null;
  return (
    <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`} flex="none">
      {label}
    </Badge>
  );
}

function stateOf(status: NewestStory["status"], verdict: Verdict | undefined): { color: string; label: string } {
  const wasSent = verdict?.reasons.some(({ code }) => code === "already_sent");
  if (status === "sent" || wasSent) return { color: "gray", label: words.compose.alreadySent };
  if (status === "suggested") return { color: "petrol", label: words.compose.suggested };
  if (verdict === undefined) return { color: "gray", label: "" };
  if (verdict.decision === "skip") return { color: "red", label: words.compose.betterNot };
  return { color: "green", label: words.compose.worthSending };
}
