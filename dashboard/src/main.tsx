import { createRoot } from "react-dom/client";
import { takeSetUpToken } from "./layout/set-up-token.ts";
import { pageOf, signedOutPages } from "./signed-out/pages.ts";
import { language, languages } from "./words/language.ts";
import { loadWords } from "./words/words.ts";

const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
// Libraries that insert style elements look for the CSP nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

takeSetUpToken();
Object.assign(document.documentElement, { lang: language, dir: languages[language].dir });

/** Two programs, so that the pages before the sign-in do without the router, and arrive on a slow phone. */
async function show(): Promise<void> {
  const loadPage = signedOutPages[pageOf(location.pathname)];
  const [program] = await Promise.all([
    loadPage
      ? import("./signed-out/program.tsx").then(({ openProgram }) => openProgram(nonce, loadPage))
      : import("./program.tsx").then(({ openProgram }) => openProgram(nonce)),
    loadWords(),
  ]);
  createRoot(document.getElementById("root")!).render(program);
}

// Not awaited: with a top-level await the build splits what the entry shares with pages into many more files.
show().catch((error: unknown) => {
  document.body.append("Pressbell could not be loaded. Reload the page.");
  throw error;
});
