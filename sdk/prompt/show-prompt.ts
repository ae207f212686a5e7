import { button, element } from "../dom.ts";
import type { InstallStep } from "./opens-as-app.ts";
import { promptStyle } from "./prompt-style.ts";

/**
 * The texts of a prompt. Without `accept` it is a message with one button. `choose`: the link to `preferencesUrl`.
 * `topics`: the topics that a reader can tick. `ticked`: the topics that are ticked at first. `steps`: shown as
 * pictures.
 */
export type PromptTexts = {
  title: string;
  body: string;
  accept?: string;
  later: string;
  choose?: string;
  preferencesUrl?: string | null;
  topics?: { topicId: string; name: string }[];
  topicsLabel?: string;
  allTopics?: string;
  ticked?: string[];
  steps?: InstallStep[];
};

/** `topicIds`: the topics that are ticked, or undefined if the prompt offers none. */
type Answer = (accepted: boolean, topicIds?: string[]) => void;

const tag = "pressbell-prompt";

/**
 * Shows a prompt. Calls `answer` once, during the reader's click, because a browser asks for its permission only
 * then. Escape means "later". Takes the focus only if no other element has it, and restores it afterwards. Returns a
 * function that removes the prompt without an answer. Does nothing and returns undefined while another prompt is
 * open.
 */
export function showPrompt(texts: PromptTexts, answer: Answer): (() => void) | undefined {
  if (document.querySelector(tag)) return undefined;
  const before = document.activeElement as HTMLElement | null;
  const host = document.createElement(tag);
  const root = host.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(promptStyle);
  root.adoptedStyleSheets = [style];

  const remove = () => {
    removeEventListener("keydown", onKey);
    if (document.activeElement === host) before?.focus();
    host.remove();
  };
  const close: Answer = (accepted, topicIds) => {
    remove();
    answer(accepted, topicIds);
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && isIdle(host)) close(false);
  };

  const dialog = createDialog(texts, close);
  root.append(dialog);
  document.documentElement.append(host);
  addEventListener("keydown", onKey);
  if (isIdle(host)) dialog.focus();
  return remove;
}

function createDialog(texts: PromptTexts, close: Answer): HTMLElement {
  const { title, body, accept, later, choose, preferencesUrl, steps } = texts;
  const choice = createChoice(texts);
  const buttons = element(
    "div",
    "",
    button(later, () => close(false)),
  );
  if (accept) buttons.append(button(accept, () => close(true, choice?.read())));
  const text = element("p", body);
  text.id = "b";
  if (choose && preferencesUrl) {
    const link = element("a", choose) as HTMLAnchorElement;
    link.href = preferencesUrl;
    text.append(" ", link);
  }
  const parts = choice ? [choice.fields, buttons] : steps ? [createPictures(steps), buttons] : [buttons];
  const dialog = element("div", "", element("i", ""), element("h2", title), text, ...parts);
  dialog.tabIndex = -1;
  dialog.dir = "auto";
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", title);
  dialog.setAttribute("aria-describedby", "b");
  return dialog;
}

/** Creates a row of pictures. The text says the same. */
function createPictures(steps: InstallStep[]): HTMLElement {
  const pictures = steps.map((step) => {
    const picture = element("li", "");
    picture.className = step;
    return picture;
  });
  const row = element("ol", "", ...pictures);
  row.ariaHidden = "true";
  return row;
}

/**
 * Creates the topics to tick. If there are several, adds a box that ticks all of them. Returns undefined if there are
 * none.
 */
function createChoice({ topics = [], topicsLabel = "", allTopics = "", ticked = [] }: PromptTexts) {
  if (topics.length === 0) return undefined;
  const boxes = topics.map(({ topicId }) => createBox(ticked.includes(topicId)));
  const all = createBox(false);
  const showAll = () => {
    all.checked = boxes.every(({ checked }) => checked);
  };
  all.onchange = () => {
    for (const box of boxes) box.checked = all.checked;
  };
  for (const box of boxes) box.onchange = showAll;
  showAll();
  const labels = topics.map(({ name }, i) => labelOf(boxes[i]!, name));
  if (topics.length > 1) labels.unshift(labelOf(all, allTopics));
  return {
    fields: element("fieldset", "", element("legend", topicsLabel), ...labels),
    read: () => topics.flatMap(({ topicId }, i) => (boxes[i]!.checked ? topicId : [])),
  };
}

function createBox(checked: boolean): HTMLInputElement {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = checked;
  return box;
}

function labelOf(box: HTMLInputElement, name: string): HTMLElement {
  const label = element("label", "", box);
  label.append(name);
  return label;
}

/** Returns whether the focus is on the prompt or on no element. */
function isIdle(host: HTMLElement): boolean {
  return [host, document.body, null].includes(document.activeElement as HTMLElement | null);
}
