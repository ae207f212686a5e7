import { createElement, Fragment, type ReactNode } from "react";

/**
 * Returns a message that contains elements, such as a name in bold. It is a tag of the message's template, so that
 * each language can order the elements.
 */
export function rich(texts: TemplateStringsArray, ...parts: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...texts.flatMap((text, at) => [text, parts[at]]));
}
