/** The translations of the service's sentences. There are none, because the sentences are English already. */
export const said: readonly { pattern: RegExp; translation: string }[] = [];
