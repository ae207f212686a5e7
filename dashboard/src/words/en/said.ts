/** Translations of what the service says. Its sentences are English: they stay as they are. */
export const said: readonly { pattern: RegExp; translation: string }[] = [];
