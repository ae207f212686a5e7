import type { Actions } from "./actions.ts";
import { maxStories } from "./max-stories.ts";
import type { Status } from "./status.ts";
import type { Words } from "./words.ts";

/**
 * What an element shows, and what a click on it does. A click subscribes with `topicIds`, or calls `press` if the
 * reader is subscribed. `isPressed`: only for a button that stays down. `pressAfterwards`: whether a click that has
 * subscribed the reader also calls `press`. `press` may return a message for the reader.
 */
export type View = {
  label: string;
  isPressed?: boolean;
  topicIds: string[];
  pressAfterwards?: boolean;
  press(): unknown;
};

/**
 * Returns what an element shows in this status. Returns undefined if the site does not have the topic, or if the
 * stories that the reader follows are not known.
 */
export type Kind = (host: HTMLElement, status: Status, page: { words: Words; actions: Actions }) => View | undefined;

/** The kinds of elements, by the names of the elements. */
export const kinds: Record<string, Kind> = {
  "pressbell-bell": (host, { state, preferencesUrl }, { words, actions }) => {
    const label = subscriptionLabel(host, state, words.subscribe, preferencesUrl ? words.choose : words.leave);
    return {
      label: state === "denied" ? words.denied : label,
      topicIds: [],
      press: () => (preferencesUrl ? location.assign(preferencesUrl) : actions.unsubscribe()),
    };
  },

  "pressbell-subscribe": (host, status, { words, actions }) => ({
    label: subscriptionLabel(host, status.state, words.subscribe, words.leave),
    topicIds: (host.getAttribute("topics") ?? "").split(",").flatMap((name) => findTopic(status, name)?.topicId ?? []),
    press: actions.unsubscribe,
  }),

  "pressbell-follow": (host, status, page) => {
    const { words, actions } = page;
    const story = host.getAttribute("story")?.trim();
    if (story) return followStory(host, story, status, page);
    const topic = findTopic(status, host.getAttribute("topic") ?? "");
    if (!topic) return undefined;
    const { topicId, name } = topic;
    const isPressed = status.state === "subscribed" && status.chosen.includes(topicId);
    return {
      label: host.getAttribute("label") ?? words.follow.replace("{topic}", () => name),
      isPressed,
      topicIds: [topicId],
      press: () => actions.setTopic(topicId, !isPressed),
    };
  },
};

function followStory(
  host: HTMLElement,
  key: string,
  { state, stories }: Status,
  { words, actions }: { words: Words; actions: Actions },
): View | undefined {
  if (!stories) return undefined;
  const name = host.getAttribute("label")?.trim();
  const isPressed = state === "subscribed" && stories.includes(key);
  return {
    label: words.follow.replace("{topic}", () => name ?? key),
    isPressed,
    topicIds: [],
    pressAfterwards: true,
    async press() {
      if (!isPressed && stories.length >= maxStories) return words.tooMany;
      const change = isPressed ? { unfollow: key } : { follow: { key, ...(name && { label: name }) } };
      return (await actions.setStory(change)) ? "" : words.failed;
    },
  };
}

function subscriptionLabel(host: HTMLElement, state: string, open: string, subscribed: string): string {
  return state === "subscribed"
    ? (host.getAttribute("label-subscribed") ?? subscribed)
    : (host.getAttribute("label") ?? open);
}

/** Returns the topic with this id or name. */
function findTopic({ all }: Status, wanted: string): Status["all"][number] | undefined {
  const name = wanted.trim().toLowerCase();
  return all.find((topic) => topic.topicId === name || topic.name.toLowerCase() === name);
}
