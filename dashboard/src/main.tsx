import "./mantine-styles.ts";
import "@mantine/notifications/styles.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { takeSetUpToken } from "./layout/set-up-token.ts";
import { createQueries } from "./queries.ts";
import { createAppRouter } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";
import { language, languages } from "./words/language.ts";
import { loadWords } from "./words/words.ts";

const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
// Libraries that insert style elements look for the CSP nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

takeSetUpToken();
const queries = createQueries();
const router = createAppRouter();
Object.assign(document.documentElement, { lang: language, dir: languages[language].dir });

async function show(): Promise<void> {
  // The page's own code is loaded meanwhile.
  await Promise.all([loadWords(), router.load()]);
  createRoot(document.getElementById("root")!).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Notifications position="top-right" limit={3} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

// Not awaited: with a top-level await the build splits what the entry shares with pages into many more files.
show().catch((error: unknown) => {
  document.body.append("Pressbell could not be loaded. Reload the page.");
  throw error;
});
