import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

/**
 * A page with its heading. `windowTitle`: the title of the window, if it differs from the heading. `actions`: buttons
 * beside the heading.
 */
export function Page(props: {
  title: string;
  windowTitle?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const windowTitle = props.windowTitle ?? props.title;
  useEffect(() => {
    document.title = `${windowTitle} · Pressbell`;
  }, [windowTitle]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box flex={1} miw={220}>
          <Title order={1} size="h2" dir="auto">
            {props.title}
          </Title>
          {props.lead !== undefined && (
            <Text c="dimmed" mt={4} component="div">
              {props.lead}
            </Text>
          )}
        </Box>
        {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  );
}
