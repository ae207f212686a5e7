import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/**
 * Tokenizes HTML or XML in linear time. It uses only the tokenizer of htmlparser2: its parser keeps a stack of open
 * elements, which a million nested tags make quadratic. `isXml`: decodes only the five entities of XML and numeric ones,
 * and none that the document declares.
 */
export function tokenizeMarkup(markup: string, handler: Partial<TokenizerCallbacks>, { isXml = false } = {}): void {
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: isXml },
    {
      ...{ onattribdata: ignore, onattribentity: ignore, onattribend: ignore, onattribname: ignore },
      ...{ oncdata: ignore, onclosetag: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore },
      ...{ onopentagend: ignore, onopentagname: ignore, onprocessinginstruction: ignore },
      ...{ onselfclosingtag: ignore, ontext: ignore, ontextentity: ignore },
      ...handler,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
}
