import { Box, Button } from "@mantine/core";
import { EmptyState } from "../components/states.tsx";
import { words } from "../words/words.ts";

/** Matches the browsers' messages for a script of this build that no longer exists or did not arrive. */
const missingScript = /dynamically imported module|module script|loading chunk|preload/i;

/** The page that replaces one that failed. `error`: what was thrown while the page was loaded or shown. */
export function BrokenPage({ error }: { error: unknown }) {
  const isMissing = missingScript.test(String(error));
  return (
    <Box maw={560} mx="auto" p="md" pt={96}>
      <EmptyState
        icon={isMissing ? "info" : "warning"}
        title={isMissing ? words.components.pageLoadFailed : words.components.pageBroken}
        action={
          <>
            <Button onClick={() => window.location.reload()}>{words.components.reload}</Button>
            <Button variant="default" component="a" href={document.baseURI}>
              {words.components.goToTheOverview}
            </Button>
          </>
        }
      >
        {isMissing ? words.components.pageLoadHint : words.components.pageBrokenHint}
      </EmptyState>
    </Box>
  );
}
