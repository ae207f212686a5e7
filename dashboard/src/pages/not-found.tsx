import { Box } from "@mantine/core";
import { TextLink } from "../components/links.tsx";
import { EmptyState } from "../components/states.tsx";
import { words } from "../words/words.ts";

export function NotFoundPage() {
  return (
    <Box maw={560} mx="auto" p="md" pt={96}>
      <EmptyState
        icon="info"
        title={words.components.pageNotFoundTitle}
        action={<TextLink to="/">{words.components.goToTheOverview}</TextLink>}
      >
        {words.components.pageNotFoundHint}
      </EmptyState>
    </Box>
  );
}
