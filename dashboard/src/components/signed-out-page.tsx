import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Brand } from "./icon.tsx";
import { LanguageChoice } from "./language-choice.tsx";

/** The layout of the pages for people who are not signed in: brand, title, one task. */
export function SignedOutPage(props: { title: string; lead?: ReactNode; width?: number; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Pressbell`;
  }, [props.title]);
  return (
    <Box component="main" maw={props.width ?? 440} mx="auto" px="md" py={{ base: 32, sm: 72 }}>
      <Group gap={12} mb="xl" justify="center">
        <Brand size={36} />
        <Text fw={650} fz={22}>
          Pressbell
        </Text>
      </Group>
      <Paper p={{ base: "lg", sm: "xl" }}>
        <Stack gap="lg">
          <div>
            <Title order={1} size="h3">
              {props.title}
            </Title>
            {props.lead !== undefined && (
              <Text c="dimmed" size="sm" mt={6}>
                {props.lead}
              </Text>
            )}
          </div>
          {props.children}
        </Stack>
      </Paper>
      <LanguageChoice />
    </Box>
  );
}
