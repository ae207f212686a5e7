import { Button, Group, Paper, Stack, Switch, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { changeRecurringSend, type RecurringSend, removeRecurringSend } from "../api/recurring-send-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { FormError } from "../components/form-error.tsx";
import { momentIn } from "../components/times.tsx";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { withWords, words } from "../words/words.ts";
import { sayRhythm } from "./recurring-words.ts";

const RecurringSendForm = lazy(withWords(() => import("./recurring-send-form.tsx"), "calendar", "feeds"));

/** The open form: that of one recurring send, that of a new one, or none. */
export type OpenForm = RecurringSend | "new" | null;

/** The recurring sends of a site, which editors add, change, switch off and remove. */
export function RecurringSendList(props: {
  recurring: RecurringSend[];
  open: OpenForm;
  setOpen: (open: OpenForm) => void;
}) {
  const { recurring, open, setOpen } = props;
  const { canEdit } = useCurrentSite();
  const [removed, setRemoved] = useState<RecurringSend | null>(null);
  return (
    <Paper component="section" aria-label={words.calendar.recurringSends} mt="lg">
      <Title order={2} size="h4" mb={4}>
        {words.calendar.recurringSends}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.calendar.recurringLead}
      </Text>
      {recurring.length === 0 && (
        <Text size="sm" mb="md">
          {words.calendar.noRecurringSend}
        </Text>
      )}
      <Stack gap="md" mb="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {recurring.map((one) => (
          <Line key={one.recurringSendId} one={one} change={() => setOpen(one)} remove={() => setRemoved(one)} />
        ))}
      </Stack>
      {canEdit && (
        <Button variant="default" onClick={() => setOpen("new")}>
          {words.calendar.newRecurringSend}
        </Button>
      )}
      {open !== null && (
        <Suspense>
          <RecurringSendForm of={open === "new" ? null : open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      <Removal of={removed} onClose={() => setRemoved(null)} />
    </Paper>
  );
}

function Line({ one, change, remove }: { one: RecurringSend; change: () => void; remove: () => void }) {
  const { site, canEdit } = useCurrentSite();
  const flip = useSwitch(one);
  const name = `${words.calendar.newestOf({ name: one.sourceName })}, ${sayRhythm(one)}`;
  const next = one.nextAt && words.calendar.nextIs({ when: momentIn(site.timeZone, one.nextAt) });
  return (
    <Group component="li" gap="xs" wrap="wrap" align="center">
      <div style={{ flex: 1, minWidth: 220 }}>
        <Text size="sm" fw={500}>
          {sayRhythm(one)}
        </Text>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {words.calendar.newestOf({ name: one.sourceName })}
        </Text>
        <Text size="xs" c="dimmed">
          {one.enabled ? next : words.calendar.isOff}
        </Text>
        {one.isSourceOff && (
          <Text size="xs" c="var(--mantine-color-error)">
            {words.calendar.sourceIsOff}
          </Text>
        )}
        <FormError error={flip.error} />
      </div>
      {canEdit && (
        <>
          <Switch
            aria-label={words.calendar.switchOf({ name })}
            checked={one.enabled}
            disabled={flip.isPending}
            onChange={(event) => flip.mutate(event.currentTarget.checked)}
          />
          <Button size="compact-sm" variant="subtle" aria-label={words.calendar.changeOf({ name })} onClick={change}>
            {words.calendar.change}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={words.calendar.removeOf({ name })}
            onClick={remove}
          >
            {words.calendar.remove}
          </Button>
        </>
      )}
    </Group>
  );
}

function useSwitch({ recurringSendId }: RecurringSend) {
  const { tenantId, siteId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      withRecentSignIn(() => changeRecurringSend(tenantId, siteId, recurringSendId, { enabled })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["calendar"] }),
  });
}

function Removal({ of, onClose }: { of: RecurringSend | null; onClose: () => void }) {
  const { tenantId, siteId } = useCurrentSite();
  const queries = useQueryClient();
  return (
    <Confirm
      opened={of !== null}
      onClose={onClose}
      title={words.calendar.removeTitle}
      action={words.calendar.removeIt}
      act={async () => {
        await removeRecurringSend(tenantId, siteId, of!.recurringSendId);
        await queries.invalidateQueries({ queryKey: ["calendar"] });
      }}
    >
      {words.calendar.removeWarning({ name: words.calendar.newestOf({ name: of?.sourceName ?? "" }) })}
    </Confirm>
  );
}
