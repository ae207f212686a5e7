// The exports that our other scripts import. esbuild keeps their names.
export { consentFrom } from "./consent.ts";
export { showPrompt } from "./show-prompt.ts";
export { showSoftPrompt, softPromptTexts } from "./soft-prompt.ts";
export { whenDue } from "./when.ts";
