import type { State } from "../page/api.ts";
import type { Memory } from "../page/memory.ts";
import type { Settings } from "../page/settings.ts";
import { draw } from "./draw.ts";
import { installSteps, opensAsApp } from "./opens-as-app.ts";
import { type PromptTexts, showPrompt } from "./show-prompt.ts";

/**
 * What the page does for the prompt. `memory`: where all tabs of the site store answers. `mayStay`: whether the prompt
 * may stay after another tab has stored something.
 */
export type AskingPage = {
  memory: Memory;
  mayStay(): Promise<boolean>;
  answer(accepted: boolean): void;
};

/**
 * Shows the soft prompt, until the reader answers here or in another tab of the site. Returns its version; true if the
 * site has to be installed first, which asks for nothing yet. Returns false while another prompt is open, and if the site
 * would have no push then either.
 */
export async function showSoftPrompt(settings: Settings, state: State, page: AskingPage): Promise<string | boolean> {
  if (state === "install" && !(await opensAsApp())) return false;
  const { memory } = page;
  draw(settings.prompt, memory);
  const { chosen, wanted = chosen } = memory.read();
  const remove = showPrompt(softPromptTexts(settings, state, wanted), (accepted, topicIds) => {
    removeEventListener("storage", onStorage);
    // Stored before the browser asks: its question may end without an answer, and the reader allow it later.
    if (accepted && topicIds) memory.write({ wanted: [...notOffered(settings, wanted), ...topicIds] });
    page.answer(accepted);
  });
  if (!remove) return false;
  // Of another tab of the site.
  const onStorage = async ({ key }: StorageEvent) => {
    if (key !== memory.key || (await page.mayStay())) return;
    removeEventListener("storage", onStorage);
    remove();
  };
  addEventListener("storage", onStorage);
  return state === "install" || settings.prompt.version;
}

/**
 * Returns the site's texts for the prompt, with the topics that it offers; if the site has to be installed first, how to
 * do that. `wanted`: what the reader has chosen; else the topics that the page names as its own are ticked.
 */
export function softPromptTexts({ prompt, preferencesUrl }: Settings, state: State, wanted?: string[]): PromptTexts {
  const { title, install, later, topics } = prompt;
  if (state === "install") return { title, body: install, later, steps: installSteps() };
  const ticked =
    wanted ?? topics.filter(({ name }) => sectionsOfPage().includes(plain(name))).map(({ topicId }) => topicId);
  return { ...prompt, preferencesUrl, ticked };
}

/** Returns what the reader has chosen on a page of the site beside the topics of the prompt. */
function notOffered({ prompt }: Settings, wanted: string[] = []): string[] {
  return wanted.filter((id) => !prompt.topics.some(({ topicId }) => topicId === id));
}

/** Returns the sections of the page by its tags `article:section` (Open Graph), which news pages have for others. */
function sectionsOfPage(): string[] {
  const tags = document.querySelectorAll<HTMLMetaElement>('meta[property="article:section"]');
  return [...tags].map(({ content }) => plain(content));
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
