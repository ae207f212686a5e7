import { Box } from "@mantine/core";
import { TextLink } from "../components/links.tsx";
import { EmptyState } from "../components/states.tsx";

export function NotFoundPage() {
  return (
    <Box maw={560} mx="auto" p="md" pt={96}>
      <EmptyState icon="info" title="There is no such page" action={<TextLink to="/">Go to the overview</TextLink>}>
        The address may be cut or mistyped.
      </EmptyState>
    </Box>
  );
}
