import { button, element } from "../dom.ts";
import type { Follow } from "../page/follows.ts";
import { languageOfPage } from "../words.ts";
import type { Answer, Change, Nudge } from "./service.ts";
import type { Words } from "./words.ts";

/**
 * Creates three lists: the facts that the site has told about the reader, the muted stories and the last
 * notifications. Each entry has its button. An empty list is left out.
 */
export function createNudgeLists(
  words: Words,
  { facts, muted, recent }: Answer,
  onChange: (change: Change) => void,
): HTMLElement[] {
  const isMuted = ({ story }: Nudge) => muted.some((one) => one.story === story);
  return [
    ...list(
      words.facts,
      facts.map(({ name, label, value }) =>
        item(
          element("span", `${label}: ${value}`),
          button(words.removeFact, () => onChange({ removeFact: name })),
        ),
      ),
    ),
    ...list(
      words.muted,
      muted.map(({ story, title }) =>
        item(
          element("span", title),
          button(words.unmute, () => onChange({ unmute: story })),
        ),
      ),
    ),
    ...list(
      words.recent,
      recent
        .filter((nudge) => !isMuted(nudge))
        .map((nudge) =>
          item(
            headline(words, nudge),
            button(words.mute, () => onChange({ mute: nudge.runId })),
          ),
        ),
    ),
  ];
}

/** Creates the list of what the reader follows. Each entry has its button. An empty list is left out. */
export function createFollowList(words: Words, follows: Follow[], onEnd: (key: string) => void): HTMLElement[] {
  return list(
    words.followed,
    follows.map(({ key, label }) =>
      item(
        element("span", label ?? key),
        button(words.unfollow, () => onEnd(key)),
      ),
    ),
  );
}

function list(title: string, items: HTMLElement[]): HTMLElement[] {
  return items.length === 0 ? [] : [element("h2", title), element("ul", "", ...items)];
}

function item(...children: HTMLElement[]): HTMLElement {
  return element("li", "", ...children);
}

function headline(words: Words, { title, url, sentAt, isSuppressed }: Nudge): HTMLElement {
  const link = element("a", title) as HTMLAnchorElement;
  link.href = url;
  const when = new Date(sentAt).toLocaleString(languageOfPage(), {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const facts = element("small", ` ${isSuppressed ? `${when}, ${words.suppressed}` : when}`);
  return element("span", "", link, facts);
}
