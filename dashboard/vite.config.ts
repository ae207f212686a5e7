import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { languagesWithTexts, wordsPlugin } from "./words-plugin.ts";

/**
 * The words of a language in few scripts: those of every page after the sign-in and of what several share, and those of
 * settings. A further page has a script of its own words.
 */
const wordsOf = (language: string) =>
  Object.entries({
    [`words-${language}`]: "api|components|layout|refusals|pages|compose|overview|campaign",
    [`words-${language}-settings`]: "settings|prompts|agreement",
  }).map(([name, folders]) => ({ name, test: new RegExp(`virtual:words/${language}/(${folders})$`), priority: 6 }));

/** What the pages before and after the sign-in use. */
const usedByAll = [
  "node_modules/react-dom/|@tanstack/react-query/|@mantine/hooks/esm/use-(uncontrolled|disclosure)|src/main\\.css",
  "src/(words/\\w+|queries|theme|layout/session|api/passkey-calls|signed-out/mantine-styles)\\.ts",
  "src/(components/(form-error|states|language-choice|link-token)|layout/leave)\\.tsx",
  "@mantine/core/esm/(core/MantineProvider/MantineProvider\\.|components/(ActionIcon|Alert|Anchor|Button|Center|Paper|Stack|TextInput|Title)/)",
];

/** What several pages use, and every page beside forms. */
const usedByMost = [
  "src/(program|layout/app-layout)\\.tsx",
  "src/(components/(?!whole-number|.*-chart)|api/(?!faults|refusals)|calendar/weeks)",
  "src/compose/(use-(segments|subscribers|second-person)|class-choice|dialogs|other-sites|audience-query)\\.",
  "\\.css$",
  "@tanstack/",
  "@mantine/notifications/esm/notifications\\.store",
  "@mantine/core/esm/components/Checkbox/CheckIcon",
  "@mantine/core/esm/components/(Popover|ColorSwatch|Switch|Textarea|ScrollArea|Badge|Table|SegmentedControl|SimpleGrid|Modal|Progress|Grid|NativeSelect)/",
];

/** What a page needs after its first fields: dialogs, and fields that search in a list. */
const choices =
  "src/compose/((send|schedule)-dialog|audience|(topic|segment|followers)-choice)\\.|esm/components/(Combobox|MultiSelect|Select|TagsInput|Pill|PillsInput)/";

/** What several pages use, beside `choices` and what belongs to a part that loads later. */
const usedByForms = `dashboard/src/(?!.*-chart|(feeds|settings/(prompt|welcome))|.*(${choices}))|@mantine/(core|hooks)/(?!${choices})`;

/** What requests everything else, and needs nothing of it. */
const first = [
  "src/(main\\.tsx|(words/(words|said-words|language)|(signed-out/)?pages|layout/set-up-token|own-page)\\.ts)$",
  "src/(api/(first-reads|joined-reads|address)|compose/unsaved)\\.ts$",
  "virtual:words$|vite/preload-helper|rolldown/runtime",
];

/**
 * Few scripts, so that a page comes in few requests over a slow line; test/browsers/dashboard-requests.test.ts counts them.
 * Each group has the modules that it names with all that they import, without those of a group before it.
 */
const groups = [
  { name: "index", test: new RegExp(first.join("|")), priority: 8 },
  { name: "base", test: new RegExp(usedByAll.join("|")), priority: 7 },
  { name: "signed-out", test: /src\/signed-out\/(program|sign-in|invitation|password)\.tsx/, priority: 6 },
  ...languagesWithTexts().flatMap(wordsOf),
  { name: "app", test: new RegExp(usedByMost.join("|")), priority: 5 },
  // What nobody presses before the page is there. Nothing waits for it.
  { name: "later", test: /src\/layout\/(notices|user-menu|site-menu)\.tsx/, priority: 4 },
  { name: "forms", test: new RegExp(usedByForms), minShareCount: 2, priority: 3 },
  { name: "choices", test: new RegExp(choices), priority: 2 },
  { name: "charts", test: /src\/.*-chart\.tsx/, priority: 2 },
];

/** Lets the page name the largest script that each needs, so that it is on its way before the first has run. */
const preloadBase: Plugin = {
  name: "preload-base",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const base = Object.values(bundle).find(({ name }) => name === "base");
      const attrs = { rel: "modulepreload", crossorigin: true, href: `./${base?.fileName}` };
      return [{ tag: "link", attrs, injectTo: "head" }];
    },
  },
};

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: import.meta.dirname,
  // Relative, because a proxy may serve the dashboard below any path: the page names it in its <base>.
  base: "./",
  plugins: [wordsPlugin(), react(), preloadBase],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    license: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
});
