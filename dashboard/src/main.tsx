import { beginToRead } from "./api/first-reads.ts";
import { takeSetUpToken } from "./layout/set-up-token.ts";
import { beginToLoadPage } from "./pages.ts";
import { pageOf, signedOutPages } from "./signed-out/pages.ts";
import { language, languages } from "./words/language.ts";
import { loadWords } from "./words/words.ts";

const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
// Libraries that insert style elements look for the CSP nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

takeSetUpToken();
Object.assign(document.documentElement, { lang: language, dir: languages[language].dir });

/**
 * Shows the program before or after the sign-in. They are two programs, so that the pages before the sign-in load
 * without the router, which matters on a slow phone. This file imports neither. It is small and arrives first, and
 * requests everything that the page needs at the same time.
 */
async function show(): Promise<void> {
  const path = pageOf(location.pathname);
  const loadPage = signedOutPages[path];
  if (loadPage === undefined) {
    beginToLoadPage(path);
    // The page reads by itself what could not be read ahead.
    beginToRead(path).catch(() => {});
  }
  const [{ createRoot }, program] = await Promise.all([
    import("react-dom/client"),
    loadPage
      ? import("./signed-out/program.tsx").then(({ openProgram }) => openProgram(nonce, loadPage))
      : import("./program.tsx").then(({ openProgram }) => openProgram(nonce)),
    loadPage === undefined ? loadWords() : undefined,
  ]);
  createRoot(document.getElementById("root")!).render(program);
}

show().catch((error: unknown) => {
  document.body.append("Pressbell could not be loaded. Reload the page.");
  throw error;
});
