import { button, element } from "../dom.ts";
import type { Pressbell, Topics } from "../page/api.ts";
import { askFollows, type Follow } from "../page/follows.ts";
import type { Snippet } from "../page/snippet.ts";
import { wordsOf } from "../words.ts";
import { createForm } from "./form.ts";
import { createFollowList, createNudgeLists } from "./nudge-lists.ts";
import { preferencesStyle } from "./preferences-style.ts";
import { type Answer, askService, type Change, downloadData, eraseData } from "./service.ts";
import { english, german } from "./words.ts";

/**
 * Shows in `host` what the reader can do in the state of this browser, and the form if the reader is subscribed.
 * `own`: JSON with the site's own texts.
 */
export async function showPreferences(
  host: HTMLElement,
  pressbell: Pressbell,
  snippet: Snippet,
  own?: string,
): Promise<void> {
  const words = wordsOf(english, german, own);
  const root = host.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(preferencesStyle);
  root.adoptedStyleSheets = [style];
  const section = element("section", "");
  const status = element("p", "");
  status.setAttribute("role", "status");
  root.append(section, status);

  // The calls of the page never reject, so only the event `failed` reports a failure. A listener that is added late
  // also gets the last failure.
  let failures = 0;
  pressbell.on("failed", () => failures++);

  /** Does what the reader has asked for, shows the result, and says whether it worked. */
  async function act(work: () => Promise<unknown>, done = words.saved): Promise<void> {
    status.textContent = "";
    const before = failures;
    const focused = controlsOf(section).indexOf(root.activeElement as HTMLElement);
    try {
      await work();
      await show();
      // Redrawing has removed the focused control, so the focus moves to the control in its place.
      if (!root.activeElement) controlsOf(section)[focused]?.focus();
      status.textContent = failures === before ? done : words.failed;
    } catch {
      status.textContent = words.failed;
    }
  }

  async function show(): Promise<void> {
    // This waits for the visit, which may renew a subscription that the browser has lost.
    const topics = await pressbell.topics();
    const state = await pressbell.state();
    if (state === "subscribed") {
      section.replaceChildren(...subscribed(await askService(snippet), await askFollows(snippet), topics));
    } else if (state === "unsubscribed") {
      const subscribe = button(words.subscribe, () => act(() => pressbell.subscribe(), ""));
      subscribe.className = "main";
      section.replaceChildren(element("h2", words.title), subscribe);
    } else {
      section.replaceChildren(element("h2", words.title), element("p", words[state]));
    }
  }

  function subscribed(answer: Answer, follows: Follow[], topics: Topics): HTMLElement[] {
    const change = (wanted: Change) => act(() => askService(snippet, wanted));
    const followed = createFollowList(words, follows, (unfollow) => act(() => askFollows(snippet, { unfollow })));
    const form = createForm(words, answer.preferences, topics, (preferences, topicIds) =>
      act(async () => {
        await askService(snippet, { preferences });
        if (topicIds) await pressbell.setTopics(topicIds);
      }),
    );
    const leave = button(words.leave, () => act(() => pressbell.unsubscribe(), words.left));
    const download = button(words.download, () => act(() => downloadData(snippet), words.downloaded));
    const erase = button(words.erase, () =>
      act(async () => {
        await eraseData(snippet);
        await pressbell.unsubscribe();
      }, words.erased),
    );
    const data = element("div", "", download, erase);
    data.className = "data";
    return [element("h2", words.title), form, ...followed, ...createNudgeLists(words, answer, change), leave, data];
  }

  await show().catch(() => {
    status.textContent = words.failed;
  });
}

function controlsOf(section: HTMLElement): HTMLElement[] {
  return [...section.querySelectorAll<HTMLElement>("a,button,input,select")];
}
