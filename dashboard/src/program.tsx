import "./mantine-styles.ts";
import "@mantine/notifications/styles.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { createQueries } from "./queries.ts";
import { createAppRouter } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";

const Notices = lazy(() => import("./layout/notices.tsx"));

/**
 * Loads the page of this address, and returns the program after the sign-in. `nonce`: the CSP nonce of the styles
 * that it inserts.
 */
export async function openProgram(nonce: string): Promise<ReactNode> {
  const queries = createQueries();
  const router = createAppRouter();
  await router.load();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // With this, the defaults of the variables need not be in a file.
      deduplicateCssVariables={false}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Suspense>
          <Notices />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
