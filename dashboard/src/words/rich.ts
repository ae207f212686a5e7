import { createElement, Fragment, type ReactNode } from "react";

/** A message with elements in it, such as a name in bold: a tag of its template, so that each language orders them. */
export function rich(texts: TemplateStringsArray, ...parts: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...texts.flatMap((text, at) => [text, parts[at]]));
}
