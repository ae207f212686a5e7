import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

/** A page with its heading, which is also the window's title. `actions`: buttons beside the heading. */
export function Page(props: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Pressbell`;
  }, [props.title]);
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
