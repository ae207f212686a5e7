import { Box, List, Text } from "@mantine/core";
import { words } from "../words/words.ts";
import classes from "./agreement.module.css";

/** The data processing agreement between the operator and the publisher, whose text is in words/. */
export function Agreement() {
  const { title, lead, original, parts } = words.agreement;
  const duties = parts.slice(-2);
  return (
    <Box className={classes.text} tabIndex={0} role="region" aria-label={title}>
      <Text size="sm" mb="xs">
        {lead}
      </Text>
      <List size="sm" spacing={6}>
        {parts.slice(0, -2).map(({ head, text }) => (
          <List.Item key={head}>
            <b>{head}</b> {text}
          </List.Item>
        ))}
        <List.Item>
          {duties.map(({ head, text }) => (
            <span key={head}>
              <b>{head}</b> {text}{" "}
            </span>
          ))}
        </List.Item>
      </List>
      {original !== "" && (
        <Text size="xs" c="dimmed" mt="xs">
          {original}
        </Text>
      )}
    </Box>
  );
}
