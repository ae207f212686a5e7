import { element } from "../dom.ts";
import type { State } from "../page/api.ts";
import type { Loaded } from "../page/pressbell.ts";
import { type Actions, createActions } from "./actions.ts";
import { elementsStyle } from "./elements-style.ts";
import { type Kind, kinds, type View } from "./kinds.ts";
import { createStatusReader, type Status, type StatusReader } from "./status.ts";
import type { Words } from "./words.ts";

/** What all elements of a page share. `failures`: returns how many failures there have been so far. */
type Page = StatusReader & {
  pressbell: Loaded;
  words: Words;
  actions: Actions;
  style: CSSStyleSheet;
  failures: () => number;
};

/** Defines the elements. A second script in the page has no effect. */
export function defineElements(pressbell: Loaded, words: Words): void {
  if (customElements.get("pressbell-bell")) return;
  const style = new CSSStyleSheet();
  style.replaceSync(elementsStyle);
  // The calls of the page never reject, so only the event `failed` reports a failure. A listener that is added late
  // also gets the last failure.
  let failures = 0;
  pressbell.on("failed", () => failures++);
  const page: Page = {
    pressbell,
    words,
    style,
    failures: () => failures,
    actions: createActions(pressbell),
    ...createStatusReader(pressbell),
  };
  for (const [name, kind] of Object.entries(kinds)) customElements.define(name, createClass(kind, page));
}

function createClass(kind: Kind, page: Page): CustomElementConstructor {
  return class extends HTMLElement {
    static observedAttributes = ["label", "label-subscribed", "story", "topic", "topics"];
    #show = createShow(this, kind, page);
    #stop = () => {};

    connectedCallback() {
      this.#stop = page.watch(this.#show);
    }

    disconnectedCallback() {
      this.#stop();
    }

    attributeChangedCallback() {
      this.#show();
    }
  };
}

/**
 * Fills the shadow root of an element. Returns a function that shows a status, or, without one, the last status
 * again.
 */
function createShow(host: HTMLElement, kind: Kind, page: Page): (status?: Status) => void {
  const label = part("span", "label");
  const control = part("button", "button", part("i", "icon"), label);
  const message = part("p", "message");
  message.setAttribute("role", "status");
  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  root.adoptedStyleSheets = [page.style];
  root.append(control, message);
  let status: Status | undefined;
  return (next = status) => {
    if (!next) return;
    if (next.state !== status?.state) message.textContent = "";
    status = next;
    const view = kind(host, next, page);
    host.setAttribute("state", stateOf(next, view));
    if (!view) return;
    label.textContent = view.label;
    if (view.isPressed !== undefined) control.setAttribute("aria-pressed", String(view.isPressed));
    control.onclick = async () => {
      message.textContent = "";
      message.textContent = await act(page, next, view);
    };
  };
}

function part(name: string, called: string, ...children: HTMLElement[]): HTMLElement {
  const created = element(name, "", ...children);
  created.setAttribute("part", called);
  return created;
}

/** Returns the value of the element's attribute `state`. */
function stateOf({ state }: Status, view: View | undefined): string {
  if (state === "unsupported") return state;
  if (!view) return "unknown";
  return view.isPressed ? "followed" : state;
}

/**
 * Does what a click asks for in this status. Does it at once, because browsers ask for the permission only during a
 * click. Returns the message for the reader.
 */
async function act(page: Page, status: Status, view: View): Promise<string> {
  const { pressbell, words, failures } = page;
  const { state } = status;
  if (state === "denied") return words.denied;
  const before = failures();
  let said: unknown;
  if (state !== "install") said = await press(page, state, view);
  else if (!(await pressbell.prompt())) said = words.unsupported;
  await page.refresh();
  if (failures() !== before) return words.failed;
  return typeof said === "string" ? said : "";
}

/**
 * Subscribes a reader who is not subscribed. Calls the view's `press` for a subscribed reader, and after subscribing
 * if `pressAfterwards` is true.
 */
async function press({ pressbell, actions }: Page, state: State, view: View): Promise<unknown> {
  if (state !== "subscribed") {
    await actions.subscribe(view.topicIds);
    if (!view.pressAfterwards || (await pressbell.state()) !== "subscribed") return undefined;
  }
  return view.press();
}
