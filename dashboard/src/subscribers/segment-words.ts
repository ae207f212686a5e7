import type { Subscribers } from "../api/calls.ts";
import type { SegmentRule } from "../api/segment-calls.ts";
import { nameOfPushService } from "../components/push-service-names.ts";
import { language, nameOfLanguage } from "../words/language.ts";
import { words } from "../words/words.ts";

type Topics = Subscribers["topics"];

type Name = keyof SegmentRule;
type Given<N extends Name> = NonNullable<SegmentRule[N]>;

/** The words for each condition, in one or several parts. */
const say: { [N in Name]: (given: Given<N>, topics: Topics) => string[] } = {
  subscribedWithinDays: (n) => [words.subscribers.subscribedWithin({ n })],
  subscribedBeforeDays: (n) => [words.subscribers.subscribedBefore({ n })],
  seenWithinDays: (n) => [words.subscribers.seenWithin({ n })],
  notSeenForDays: (n) => [words.subscribers.notSeenFor({ n })],
  clickedWithinDays: (n) => [words.subscribers.clickedWithin({ n })],
  notClickedForDays: (n) => [words.subscribers.notClickedFor({ n })],
  topics: sayTopics,
  timeZones: (zones) => [words.subscribers.timeZoneIs({ zones: list(zones) })],
  languages: (languages) => [words.subscribers.languageIs({ languages: list(languages.map(nameOfLanguage)) })],
  facts: (facts) => Object.entries(facts).map(([name, values]) => `${name}: ${list(values)}`),
  pushServices: (names) => [words.subscribers.through({ services: list(names.map(nameOfPushService)) })],
};

/**
 * Returns a rule in one line, such as "here in the last 30 days · no topic of Sport". `topics`: the topics of the
 * site.
 */
export function sayRule(rule: SegmentRule, topics: Topics): string {
  const names = Object.keys(say) as Name[];
  return names.flatMap((name) => (rule[name] === undefined ? [] : sayOne(name, rule[name], topics))).join(" · ");
}

function sayOne<N extends Name>(name: N, given: Given<N>, topics: Topics): string[] {
  return say[name](given, topics);
}

function sayTopics({ any, all, none }: Given<"topics">, topics: Topics): string[] {
  const listed = (ids: string[]) => ({ topics: list(ids.map((id) => nameOfTopic(id, topics))) });
  return [
    ...(any === undefined ? [] : [words.subscribers.anyTopicOf(listed(any))]),
    ...(all === undefined ? [] : [words.subscribers.allTopicsOf(listed(all))]),
    ...(none === undefined ? [] : [words.subscribers.noTopicOf(listed(none))]),
  ];
}

/** Returns the name of a topic of the site. A topic that the site does not list is retired. */
export function nameOfTopic(id: string, topics: Topics): string {
  return topics.find(({ topicId }) => topicId === id)?.name ?? words.pages.aRetiredTopic;
}

function list(names: string[]): string {
  return new Intl.ListFormat(language).format(names);
}
