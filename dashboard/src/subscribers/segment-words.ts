import type { Subscribers } from "../api/calls.ts";
import type { SegmentRule } from "../api/segment-calls.ts";
import { language } from "../words/language.ts";
import { words } from "../words/words.ts";
import { nameOfPushService } from "./push-service-names.ts";

type Topics = Subscribers["topics"];

/** Says a rule in a line, such as "here in the last 30 days · no topic of Sport". `topics`: those of the site. */
export function sayRule(rule: SegmentRule, topics: Topics): string {
  const say = words.subscribers;
  const listed = (ids: string[]) => list(ids.map((id) => nameOfTopic(id, topics)));
  return [
    saidOf(rule.subscribedWithinDays, (n) => say.subscribedWithin({ n })),
    saidOf(rule.subscribedBeforeDays, (n) => say.subscribedBefore({ n })),
    saidOf(rule.seenWithinDays, (n) => say.seenWithin({ n })),
    saidOf(rule.notSeenForDays, (n) => say.notSeenFor({ n })),
    saidOf(rule.clickedWithinDays, (n) => say.clickedWithin({ n })),
    saidOf(rule.notClickedForDays, (n) => say.notClickedFor({ n })),
    saidOf(rule.topics?.any, (ids) => say.anyTopicOf({ topics: listed(ids) })),
    saidOf(rule.topics?.all, (ids) => say.allTopicsOf({ topics: listed(ids) })),
    saidOf(rule.topics?.none, (ids) => say.noTopicOf({ topics: listed(ids) })),
    saidOf(rule.pushServices, (pushServices) => say.through({ services: list(pushServices.map(nameOfPushService)) })),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}

/** The name of a topic of the site; one that it does not list is retired. */
export function nameOfTopic(id: string, topics: Topics): string {
  return topics.find(({ topicId }) => topicId === id)?.name ?? words.pages.aRetiredTopic;
}

function saidOf<T>(condition: T | undefined, say: (condition: T) => string): string | null {
  return condition === undefined ? null : say(condition);
}

function list(names: string[]): string {
  return new Intl.ListFormat(language).format(names);
}
