import { IntlMessageFormat } from "intl-messageformat";
import type { said } from "./en/said.ts";
import type { Language } from "./language.ts";

/**
 * Returns what formats the service's messages in a language. `texts`: by code, in ICU's format. A code that `texts`
 * lacks gives undefined: the service may be newer than the page.
 */
export function formatOf(texts: Record<string, string>, language: Language): NonNullable<typeof said.format> {
  return (code, params) => {
    if (!Object.hasOwn(texts, code)) return undefined;
    const format = new IntlMessageFormat(texts[code]!, language, undefined, { ignoreTag: true });
    return String(format.format(params));
  };
}
