import { words } from "../words/words.ts";

/** Returns the name of the key that opens the palette together with K. */
export const commandKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : `${words.layout.ctrl} `);

const stored = "pressbell-single-keys";

/**
 * Returns whether single keys are shortcuts. People can switch them off, because speech input types them by mistake
 * (WCAG 2.1.4).
 */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(stored) !== "off";
}

/** Switches the single keys on or off, in this browser. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(stored);
  else localStorage.setItem(stored, "off");
}
