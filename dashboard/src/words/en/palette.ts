import type { Text } from "../text.ts";

export const palette = {
  // palette.tsx
  aPageAnActionOr: "A page, an action or a notification",
  nothingHasThisName: "Nothing has this name.",
  darkColours: "Dark colours",
  lightColours: "Light colours",
  yourAccount: "Your account",
  keyboardShortcuts: "Keyboard shortcuts",
  compose: "Compose",
  newsroomScreen: "Newsroom screen",
  anotherSite: "Another site",
  aStoryWithoutATitle: "A story without a title",

  // shortcut-list.tsx
  thenKey: "then",
  findAPageAnAction: "Find a page, an action or a notification",
  thisList: "This list",
  closeWhatIsOpen: "Close what is open",
  keysWithoutAreShortcuts: ({ commandKey }: { commandKey: Text }) => `Keys without ${commandKey} are shortcuts`,
  switchThemOffIfYou: "Switch them off if you dictate to this browser. The list is also in the palette.",
};
