import { promptStyle } from "./prompt-style.ts";

/** What a prompt says. Without `accept` there is nothing to accept: it only tells something. */
export type PromptTexts = { title: string; body: string; accept?: string; later: string };

const tag = "pressbell-prompt";

/** Whether a prompt is on the screen. */
export function isPrompted(): boolean {
  return document.querySelector(tag) !== null;
}

/**
 * Shows a prompt and tells the answer, once, inside the reader's click (a browser asks for its permission only then).
 * Escape is "later". It takes the focus only where the reader is not at work elsewhere, and gives it back.
 */
export function showPrompt(texts: PromptTexts, answer: (accepted: boolean) => void): void {
  const before = document.activeElement as HTMLElement | null;
  const host = document.createElement(tag);
  const root = host.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  style.replaceSync(promptStyle);
  root.adoptedStyleSheets = [style];

  const close = (accepted: boolean) => {
    removeEventListener("keydown", onKey);
    if (document.activeElement === host) before?.focus();
    host.remove();
    answer(accepted);
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === "Escape" && isIdle(host)) close(false);
  };

  const dialog = createDialog(texts, close);
  root.append(dialog);
  document.documentElement.append(host);
  addEventListener("keydown", onKey);
  if (isIdle(host)) dialog.focus({ preventScroll: true });
}

function createDialog({ title, body, accept, later }: PromptTexts, close: (accepted: boolean) => void): HTMLElement {
  const buttons = element(
    "div",
    "",
    button(later, () => close(false)),
  );
  if (accept) buttons.append(button(accept, () => close(true)));
  const heading = element("h2", title);
  const text = element("p", body);
  heading.id = "t";
  text.id = "b";
  const dialog = element("div", "", element("i", ""), heading, text, buttons);
  dialog.tabIndex = -1;
  dialog.dir = "auto";
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-labelledby", "t");
  dialog.setAttribute("aria-describedby", "b");
  return dialog;
}

/** Texts are only ever text. */
function element(name: string, text: string, ...children: HTMLElement[]): HTMLElement {
  const made = document.createElement(name);
  made.append(text, ...children);
  return made;
}

function button(text: string, onClick: () => void): HTMLElement {
  const made = element("button", text);
  made.onclick = onClick;
  return made;
}

/** Whether the focus is on the prompt or on nothing in particular. */
function isIdle(host: HTMLElement): boolean {
  return [host, document.body, null].includes(document.activeElement as HTMLElement | null);
}
