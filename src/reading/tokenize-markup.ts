import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/**
 * Tokenizes HTML or XML in linear time. Uses only the tokenizer of htmlparser2, because its parser keeps a stack of
 * open elements, which takes quadratic time for a million nested tags. `isXml`: decodes only numeric entities and the
 * five of XML, and none that the document declares.
 */
export function tokenizeMarkup(markup: string, handler: Partial<TokenizerCallbacks>, { isXml = false } = {}): void {
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: isXml },
    {
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
      ...handler,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
}

/** A reader of markup. `handler`: its callbacks for the tokenizer. `result`: returns the result at the end. */
export type MarkupReader<Result> = { handler: Partial<TokenizerCallbacks>; result: () => Result };

/** Reads HTML with several readers at once, because tokenizing takes as long as reading. */
export function readTogether<Results extends unknown[]>(
  markup: string,
  readers: { [index in keyof Results]: MarkupReader<Results[index]> },
): Results {
  const handler: Record<string, unknown> = {};
  const names = new Set(readers.flatMap((reader) => Object.keys(reader.handler)) as (keyof TokenizerCallbacks)[]);
  for (const name of names) {
    const callbacks = readers.flatMap((reader) => (reader.handler[name] as Callback | undefined) ?? []);
    handler[name] = callbacks.reduce((first, second) => (a, b) => {
      first(a, b);
      second(a, b);
    });
  }
  tokenizeMarkup(markup, handler as Partial<TokenizerCallbacks>);
  return readers.map((reader) => reader.result()) as Results;
}

type Callback = (a: number, b: number) => void;
