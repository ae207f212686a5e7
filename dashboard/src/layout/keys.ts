import { words } from "../words/words.ts";

/** The name of the key beside K that opens the palette. */
export const commandKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : `${words.layout.ctrl} `);

const stored = "pressbell-single-keys";

/** Whether keys without a command key are shortcuts. Speech input types them by mistake (WCAG 2.1.4), so they can be off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(stored) !== "off";
}

/** Switches the single keys on or off, in this browser. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(stored);
  else localStorage.setItem(stored, "off");
}
