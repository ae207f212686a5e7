import { IntlMessageFormat } from "intl-messageformat";

/** What a message names: a text, a number, or another message. */
export type Param = string | number | Message;

/**
 * A sentence for people. `message`: in English. `code` and `params`: from them, a program says it in another language.
 * The meaning of a code never changes.
 */
export type Message = { message: string; code: string; params: Record<string, Param> };

/** A message as an answer has it, beside fields whose `code` may be another. */
export type Said = { message: string; messageCode: string; params: Record<string, Param> };

/** Returns a message as an answer has it. */
export function said({ message, code, params }: Message): Said {
  return { message, messageCode: code, params };
}

/** The name before the first comma: "n" of "n, plural, one {#". Never of a text that is no name. */
type NameIn<Inside extends string> = Inside extends `${infer Name},${string}`
  ? Name
  : Inside extends `${string}${" " | "#"}${string}` | ""
    ? never
    : Inside;

type NamesIn<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? NameIn<Inside> | NamesIn<Rest>
  : never;

type MessageOf<Text extends string> = [NamesIn<Text>] extends [never]
  ? () => Message
  : (params: Record<NamesIn<Text>, Param>) => Message;

/**
 * Returns a function for each code that makes its message. `texts`: the English texts by code, in ICU's format:
 * "older than {hours, plural, one {# hour} other {# hours}}". Each form of a plural has a #, so that its text is not
 * taken for a parameter. The function throws if a parameter is missing.
 */
export function defineMessages<const Texts extends Record<string, string>>(
  texts: Texts,
): { [Code in keyof Texts]: MessageOf<Texts[Code]> } {
  const entries = Object.entries(texts).map(([code, text]) => {
    let format: IntlMessageFormat | undefined;
    return [
      code,
      (params: Record<string, Param> = {}): Message => {
        format ??= new IntlMessageFormat(text, "en", undefined, { ignoreTag: true });
        return { message: String(format.format(namesOf(params))), code, params };
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Replaces each message among the parameters by its English text. */
function namesOf(params: Record<string, Param>): Record<string, string | number> {
  const named = Object.entries(params).map(([name, param]) => [
    name,
    typeof param === "object" ? param.message : param,
  ]);
  return Object.fromEntries(named);
}
