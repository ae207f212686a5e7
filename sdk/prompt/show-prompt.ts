import { button, element } from "../elements.ts";
import { promptStyle } from "./prompt-style.ts";

/** The texts of a prompt. Without `accept` it is a message with one button. `choose`: the link to `preferencesUrl`. */
export type PromptTexts = {
  title: string;
  body: string;
  accept?: string;
  later: string;
  choose?: string;
  preferencesUrl?: string | null;
};

const tag = "pressbell-prompt";

/**
 * Shows a prompt. Calls `answer` once, during the reader's click, because a browser asks for its permission only then.
 * Escape means "later". Takes the focus only if no other element has it, and restores it afterwards. Returns a function
 * that takes the prompt away without an answer, and does nothing once it is answered. Returns undefined, and does nothing,
 * while another prompt is open.
 */
export function showPrompt(texts: PromptTexts, answer: (accepted: boolean) => void): (() => void) | undefined {
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
  const close = (accepted: boolean) => {
    remove();
    answer(accepted);
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

function createDialog(
  { title, body, accept, later, choose, preferencesUrl }: PromptTexts,
  close: (accepted: boolean) => void,
): HTMLElement {
  const buttons = element(
    "div",
    "",
    button(later, () => close(false)),
  );
  if (accept) buttons.append(button(accept, () => close(true)));
  const text = element("p", body);
  text.id = "b";
  if (choose && preferencesUrl) {
    const link = element("a", choose) as HTMLAnchorElement;
    link.href = preferencesUrl;
    text.append(" ", link);
  }
  const dialog = element("div", "", element("i", ""), element("h2", title), text, buttons);
  dialog.tabIndex = -1;
  dialog.dir = "auto";
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", title);
  dialog.setAttribute("aria-describedby", "b");
  return dialog;
}

/** Returns whether the focus is on the prompt or on no element. */
function isIdle(host: HTMLElement): boolean {
  return [host, document.body, null].includes(document.activeElement as HTMLElement | null);
}
