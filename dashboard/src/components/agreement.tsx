import { Box, List, Text } from "@mantine/core";
import classes from "./agreement.module.css";

/** The data processing agreement between the operator and the publisher. A change of its text needs a new version. */
export function Agreement() {
  return (
    <Box className={classes.text} tabIndex={0} role="region" aria-label="Data processing agreement">
      <Text size="sm" mb="xs">
        The publisher decides for what readers are nudged (controller); this installation does it on the publisher's
        instructions alone (processor, article 28 GDPR).
      </Text>
      <List size="sm" spacing={6}>
        <List.Item>
          <b>What is kept:</b> the address and keys that a reader's browser gives for push messages, the topics that the
          reader chose, and when. No name, no e-mail address, no IP address.
        </List.Item>
        <List.Item>
          <b>For what:</b> to send the publisher's nudges to readers who asked for them, and to count what became of
          them.
        </List.Item>
        <List.Item>
          <b>Who else sees it:</b> the push service of the reader's browser (Google, Mozilla, Apple, Microsoft), which
          gets the message encrypted for that browser only.
        </List.Item>
        <List.Item>
          <b>How long:</b> until the reader unsubscribes or the push service says that the browser is gone; then it is
          deleted at once.
        </List.Item>
        <List.Item>
          <b>The publisher</b> asks readers for their consent, tells them of this, and answers their requests;{" "}
          <b>the operator</b> keeps the machine, its secret key and its backups safe, and reports a breach without
          delay.
        </List.Item>
      </List>
    </Box>
  );
}
