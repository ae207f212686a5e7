import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { languagesWithTexts, wordsPlugin } from "./words-plugin.ts";

/** The words of a language in few scripts: those of most pages after the sign-in, and of settings. */
const wordsOf = (language: string) =>
  Object.entries({
    [`words-${language}`]: "api|components|layout|refusals|said|pages|compose|overview|campaigns?|calendar|subscribers",
    [`words-${language}-settings`]: "settings|prompts|agreement",
  }).map(([name, folders]) => ({ name, test: new RegExp(`virtual:words/${language}/(${folders})$`), priority: 6 }));

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

/**
 * Few scripts, so that a page comes in few requests over a slow line; test/browsers/dashboard-requests.test.ts counts them.
 * Each group has the modules that it names with all that they import, without those of a group before it.
 */
const groups = [
  {
    name: "index",
    test: /src\/(main\.tsx|(words\/(words|language)|signed-out\/pages|pages|layout\/set-up-token)\.ts)$|virtual:words$|vite\/preload-helper|rolldown\/runtime/,
    priority: 8,
  },
  // The pages before the sign-in, and what all others share with them.
  {
    name: "base",
    test: /node_modules\/react-dom\/|src\/signed-out\/(program|sign-in|invitation|password)\.tsx|src\/words\/\w+\.ts/,
    priority: 7,
  },
  ...languagesWithTexts().flatMap(wordsOf),
  { name: "app", test: new RegExp(usedByMost.join("|")), priority: 5 },
  // What nobody presses before the page is there.
  { name: "later", test: /src\/layout\/(notices|user-menu|site-menu)\.tsx/, priority: 4 },
  { name: "forms", test: /dashboard\/src\/(?!.*-chart)|@mantine\/(core|hooks)/, minShareCount: 2, priority: 3 },
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
