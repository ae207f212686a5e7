/**
 * A sentence for people. `message`: in English. `messageCode` and `params`: from them, a program says it in another
 * language.
 */
export type Sentence = { message: string; messageCode: string; params: Record<string, SentenceParam> };

/** What a sentence names: a text, a number, or another sentence. */
export type SentenceParam = string | number | SentencePart;

/** A sentence, or a part of one, that another sentence names. */
export type SentencePart = { message: string; code: string; params: Record<string, SentenceParam> };
