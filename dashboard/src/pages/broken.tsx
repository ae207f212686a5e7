import { Box, Button } from "@mantine/core";
import { EmptyState } from "../components/states.tsx";

/** How browsers say that a script of this build is not there any more, or did not arrive. */
const missingScript = /dynamically imported module|module script|loading chunk|preload/i;

/** Shown instead of a page that failed. `error`: thrown while it was loaded or shown. */
export function BrokenPage({ error }: { error: unknown }) {
  const isMissing = missingScript.test(String(error));
  return (
    <Box maw={560} mx="auto" p="md" pt={96}>
      <EmptyState
        icon={isMissing ? "info" : "warning"}
        title={isMissing ? "This page could not be loaded" : "This page does not work"}
        action={
          <>
            <Button onClick={() => window.location.reload()}>Reload</Button>
            <Button variant="default" component="a" href={document.baseURI}>
              Go to the overview
            </Button>
          </>
        }
      >
        {isMissing
          ? "There is a new version, or your connection was lost. Reload; what you have typed is kept."
          : "The fault is ours, and what you have typed is kept. Reload; if it stays, tell the person who runs Pressbell."}
      </EmptyState>
    </Box>
  );
}
