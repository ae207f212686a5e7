import { Box, Button } from "@mantine/core";
import { EmptyState } from "../components/states.tsx";
import { words } from "../words/words.ts";

/** How browsers say that a script of this build is not there any more, or did not arrive. */
const missingScript = /dynamically imported module|module script|loading chunk|preload/i;

/** Shown instead of a page that failed. `error`: thrown while it was loaded or shown. */
export function BrokenPage({ error }: { error: unknown }) {
  const isMissing = missingScript.test(String(error));
  return (
    <Box maw={560} mx="auto" p="md" pt={96}>
      <EmptyState
        icon={isMissing ? "info" : "warning"}
        title={isMissing ? words.components.thisPageCouldNotBe : words.components.thisPageDoesNotWork}
        action={
          <>
            <Button onClick={() => window.location.reload()}>{words.components.reload}</Button>
            <Button variant="default" component="a" href={document.baseURI}>
              {words.components.goToTheOverview}
            </Button>
          </>
        }
      >
        {isMissing ? words.components.thereIsANewVersion : words.components.theFaultIsOursAnd}
      </EmptyState>
    </Box>
  );
}
