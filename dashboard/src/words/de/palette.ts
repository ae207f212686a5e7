import type { palette as english } from "../en/palette.ts";

export const palette: typeof english = {
  // palette.tsx
  aPageAnActionOr: "Eine Seite, eine Aktion oder ein Push",
  nothingHasThisName: "So heißt nichts.",
  darkColours: "Dunkle Farben",
  lightColours: "Helle Farben",
  yourAccount: "Ihr Konto",
  keyboardShortcuts: "Tastenkürzel",
  compose: "Schreiben",
  newsroomScreen: "Bildschirm für die Redaktion",
  anotherSite: "Andere Website",
  aStoryWithoutATitle: "Artikel ohne Titel",

  // shortcut-list.tsx
  thenKey: "dann",
  findAPageAnAction: "Seite, Aktion oder Push suchen",
  thisList: "Diese Liste",
  closeWhatIsOpen: "Schließen, was offen ist",
  keysWithoutAreShortcuts: ({ commandKey }) => `Tasten ohne ${commandKey} sind Kürzel`,
  switchThemOffIfYou: "Schalten Sie sie aus, wenn Sie diesem Browser diktieren. Die Liste steht auch in der Suche.",
};
