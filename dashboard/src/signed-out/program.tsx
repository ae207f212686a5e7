import "./mantine-styles.ts";
import "../main.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createQueries } from "../queries.ts";
import { cssVariables, theme } from "../theme.ts";
import type { LoadPage } from "./pages.ts";

/** Loads the page, and returns the program that shows it. `nonce`: the CSP nonce of the styles that it inserts. */
export async function openProgram(nonce: string, loadPage: LoadPage): Promise<ReactNode> {
  const Page = await loadPage();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // With this, the defaults of the variables need not be in a file.
      deduplicateCssVariables={false}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={createQueries()}>
        <Page />
      </QueryClientProvider>
    </MantineProvider>
  );
}
