/** Creates an element. `text` is inserted as text, never as HTML. */
export function element(name: string, text: string, ...children: HTMLElement[]): HTMLElement {
  const created = document.createElement(name);
  created.append(text, ...children);
  return created;
}

export function button(text: string, onClick: () => void): HTMLElement {
  const created = element("button", text);
  created.onclick = onClick;
  return created;
}
