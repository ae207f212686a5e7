import { Anchor, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { OccurrenceView, RecurringSend } from "../api/recurring-send-calls.ts";
import { Reasons } from "../components/reasons.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/**
 * An occurrence of a recurring send on its day. A future one opens the form of its recurring send. A past one on
 * which nothing was sent opens a dialog that says why.
 */
export function Occurrence(props: { occurrence: OccurrenceView; of: RecurringSend; change: (() => void) | null }) {
  const { occurrence, of, change } = props;
  const { at, outcome, title } = occurrence;
  const { site } = useCurrentSite();
  const [isOpen, setIsOpen] = useState(false);
  const time = new Intl.DateTimeFormat(locale, { timeZone: site.timeZone, hour: "2-digit", minute: "2-digit" });
  const open = outcome === null ? change : () => setIsOpen(true);
  const name = title ?? words.calendar.newestOf({ name: of.sourceName });
  return (
    <Text size="sm" component="div" lh={1.3}>
      <Text component="time" dateTime={at} size="xs" c="dimmed">
        {`${time.format(new Date(at))} · ${outcome === null ? words.calendar.planned : words.calendar.outcomes[outcome]}`}
      </Text>
      {open === null ? (
        <Text size="sm" fs="italic" lineClamp={3} style={{ overflowWrap: "anywhere" }}>
          {name}
        </Text>
      ) : (
        <Anchor
          component="button"
          type="button"
          c="var(--mantine-color-text)"
          fs="italic"
          inherit
          lineClamp={3}
          ta="start"
          style={{ overflowWrap: "anywhere" }}
          dir="auto"
          onClick={open}
        >
          {name}
        </Anchor>
      )}
      {outcome !== null && (
        <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={<b>{momentIn(site.timeZone, at)}</b>}>
          <Why occurrence={occurrence} of={of} outcome={outcome} />
        </Modal>
      )}
    </Text>
  );
}

function Why(props: {
  occurrence: OccurrenceView;
  of: RecurringSend;
  outcome: NonNullable<OccurrenceView["outcome"]>;
}) {
  const { occurrence, of, outcome } = props;
  const { url, title, reasons } = occurrence;
  return (
    <Stack gap="sm">
      <Text size="sm">{words.calendar.newestOf({ name: of.sourceName })}</Text>
      {url !== null && (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" dir="auto">
          {title ?? url}
        </Anchor>
      )}
      <Text size="sm">{words.calendar.whyNothing[outcome]}</Text>
      <Reasons reasons={reasons} />
    </Stack>
  );
}
