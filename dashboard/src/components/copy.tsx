import { Box, Button, CopyButton, Group, Text } from "@mantine/core";
import { words } from "../words/words.ts";
import classes from "./copy.module.css";
import { Icon } from "./icon.tsx";

/** Text with a button that copies it. `label`: its name for screen readers. */
export function CopyBlock({ text, label, caption }: { text: string; label: string; caption?: string }) {
  return (
    <Box>
      <Group justify="space-between" mb={6} wrap="nowrap">
        <Text size="sm" fw={500}>
          {caption ?? label}
        </Text>
        <CopyText text={text} label={label} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.block} tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
    </Box>
  );
}

export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={copy}
          leftSection={<Icon name={copied ? "check" : "copy"} size={16} />}
          aria-label={copied ? words.components.copiedIt({ label }) : words.components.copyIt({ label })}
        >
          {copied ? words.components.copied : words.components.copy}
        </Button>
      )}
    </CopyButton>
  );
}
