// What the page script imports: esbuild keeps the names of these exports.
export { showSoftPrompt } from "./soft-prompt.ts";
export { showTestDevice } from "./test-device.ts";
export { whenDue } from "./when.ts";
