import type { State } from "../page/api.ts";
import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";
import { draw } from "./draw.ts";
import { installSteps, opensAsApp } from "./opens-as-app.ts";
import { type PromptTexts, showPrompt } from "./show-prompt.ts";

/**
 * What the page provides for the prompt. `memory`: the place where all tabs of the site store answers. `mayStay`:
 * returns whether the prompt may stay after another tab has stored something.
 */
export type AskingPage = {
  memory: Memory;
  mayStay(): Promise<boolean>;
  answer(accepted: boolean): void;
};

/**
 * Shows the soft prompt until the reader answers here or in another tab of the site. Returns the version of the
 * prompt, or true if the site has to be installed first, which asks for nothing yet. Returns false while another
 * prompt is open, and if the site would have no push even after it is installed.
 */
export async function showSoftPrompt(settings: Settings, state: State, page: AskingPage): Promise<string | boolean> {
  if (state === "install" && !(await opensAsApp())) return false;
  const { memory } = page;
  draw(settings.prompt, memory);
  const { chosen, wanted = chosen } = memory.read();
  const remove = showPrompt(softPromptTexts(settings, state, wanted), (accepted, topicIds) => {
    removeEventListener("storage", onStorage);
    // The choice is stored before the browser asks, because its question may end without an answer, and the reader
    // may allow notifications later.
    if (accepted && topicIds) memory.write({ wanted: [...notOffered(settings, wanted), ...topicIds] });
    page.answer(accepted);
  });
  if (!remove) return false;
  // Handles what another tab of the site has stored.
  const onStorage = async ({ key }: StorageEvent) => {
    if (key !== memory.key || (await page.mayStay())) return;
    removeEventListener("storage", onStorage);
    remove();
  };
  addEventListener("storage", onStorage);
  return state === "install" || settings.prompt.version;
}

/**
 * Returns the site's texts for the prompt, with the topics that it offers. If the site has to be installed first,
 * returns the texts that say how. `wanted`: the topics that the reader has chosen. Without it, the topics of the
 * page's own sections are ticked.
 */
export function softPromptTexts({ prompt, preferencesUrl }: Settings, state: State, wanted?: string[]): PromptTexts {
  const { title, install, later, topics } = prompt;
  if (state === "install") return { title, body: install, later, steps: installSteps() };
  const ticked =
    wanted ?? topics.filter(({ name }) => sectionsOfPage().includes(plain(name))).map(({ topicId }) => topicId);
  return { ...prompt, preferencesUrl, ticked };
}

/** Returns the topics that the reader has chosen on a page of the site and that the prompt does not offer. */
function notOffered({ prompt }: Settings, wanted: string[] = []): string[] {
  return wanted.filter((id) => !prompt.topics.some(({ topicId }) => topicId === id));
}

/**
 * Returns the sections in the page's tags `article:section` (Open Graph). News pages already have these tags for
 * other services.
 */
function sectionsOfPage(): string[] {
  const tags = document.querySelectorAll<HTMLMetaElement>('meta[property="article:section"]');
  return [...tags].map(({ content }) => plain(content));
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
