import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/**
 * Walks through markup from front to back, in a time that grows with its length and with nothing else: htmlparser2's
 * parser keeps a stack of open elements that a million nested tags make quadratic, its tokenizer does not. `isXml`:
 * only the five entities of XML and numbers are decoded, none that a document declares.
 */
export function tokenizeMarkup(markup: string, handler: Partial<TokenizerCallbacks>, { isXml = false } = {}): void {
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: isXml },
    {
      ...{ onattribdata: nothing, onattribentity: nothing, onattribend: nothing, onattribname: nothing },
      ...{ oncdata: nothing, onclosetag: nothing, oncomment: nothing, ondeclaration: nothing, onend: nothing },
      ...{ onopentagend: nothing, onopentagname: nothing, onprocessinginstruction: nothing },
      ...{ onselfclosingtag: nothing, ontext: nothing, ontextentity: nothing },
      ...handler,
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
}
