import { Button, Chip, Group, Input, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { feeds } from "../api/feed-calls.ts";
import {
  addRecurringSend,
  changeRecurringSend,
  type RecurringSend,
  type RecurringSendInput,
} from "../api/recurring-send-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { useSubscribers } from "../compose/use-subscribers.ts";
import { feedName } from "../feeds/feed-labels.ts";
import { useRecentSignIn } from "../layout/recent-sign-in.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { isoDays, nameOfDay } from "./recurring-words.ts";

const weekdays = { days: [1, 2, 3, 4, 5], time: "07:00", feedId: null, topicId: null, enabled: true };

/** The form of a recurring send. Null: the form of a new one. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function RecurringSendForm({ of, onClose }: { of: RecurringSend | null; onClose: () => void }) {
  const { site } = useCurrentSite();
  const { days: wanted, time, feedId, topicId, enabled } = of ?? weekdays;
  const [input, setInput] = useState<RecurringSendInput>({ days: wanted, time, feedId, topicId, enabled });
  const write = (change: Partial<RecurringSendInput>) => setInput((now) => ({ ...now, ...change }));
  const save = useSave(of, onClose);
  const title = of === null ? words.calendar.newRecurringSend : words.calendar.changeRecurringSend;
  return (
    <Modal opened onClose={onClose} title={<b>{title}</b>} data-testid="recurring-send-form">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(input);
        }}
      >
        <Stack>
          <FormError error={save.error} fields={["days", "time", "feedId", "topicId"]} />
          <Days days={input.days} write={(days) => write({ days })} fault={faultIn(save.error, "days")} />
          <TextInput
            type="time"
            w="fit-content"
            label={words.calendar.time}
            description={words.calendar.timeHint({ timeZone: site.timeZone })}
            value={input.time}
            onChange={(event) => write({ time: event.currentTarget.value })}
            error={faultIn(save.error, "time")}
          />
          <Source input={input} write={write} fault={faultIn(save.error, "feedId") ?? faultIn(save.error, "topicId")} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.calendar.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {words.calendar.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useSave(of: RecurringSend | null, onClose: () => void) {
  const { tenantId, siteId } = useCurrentSite();
  const withRecentSignIn = useRecentSignIn();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: RecurringSendInput) =>
      withRecentSignIn(() =>
        of === null
          ? addRecurringSend(tenantId, siteId, input)
          : changeRecurringSend(tenantId, siteId, of.recurringSendId, input),
      ),
    async onSuccess() {
      onClose();
      await queries.invalidateQueries({ queryKey: ["calendar"] });
    },
  });
}

function Days(props: { days: number[]; write: (days: number[]) => void; fault: string | undefined }) {
  const { days, write, fault } = props;
  return (
    <Input.Wrapper label={words.calendar.days} labelElement="div" error={fault}>
      <Chip.Group multiple value={days.map(String)} onChange={(chosen) => write(chosen.map(Number).sort())}>
        <Group gap={6} mt={4} role="group" aria-label={words.calendar.days}>
          {isoDays.map((day) => (
            <Chip key={day} value={String(day)} size="xs">
              {nameOfDay(day, "short")}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

/** The choice of the feed or topic. A value names its kind: `feedId ID` or `topicId ID`. */
function Source(props: {
  input: RecurringSendInput;
  write: (change: Partial<RecurringSendInput>) => void;
  fault: string | undefined;
}) {
  const { input, write, fault } = props;
  const { tenantId, siteId } = useCurrentSite();
  const known = useQuery({ queryKey: ["feeds", siteId], queryFn: () => feeds(tenantId, siteId) }).data ?? [];
  const topics = useSubscribers().data?.topics ?? [];
  const chosen = input.feedId !== null ? `feedId ${input.feedId}` : input.topicId && `topicId ${input.topicId}`;
  return (
    <NativeSelect
      label={words.calendar.source}
      description={words.calendar.sourceHint}
      inputWrapperOrder={["label", "input", "description", "error"]}
      value={chosen ?? ""}
      onChange={(event) => {
        const [field, id] = event.currentTarget.value.split(" ");
        write({ feedId: null, topicId: null, ...(id !== undefined && { [field!]: id }) });
      }}
      error={fault}
    >
      <option value="" disabled>
        {words.calendar.choose}
      </option>
      <optgroup label={words.calendar.feeds}>
        {known.map((feed) => (
          <option key={feed.feedId} value={`feedId ${feed.feedId}`}>
            {feedName(feed)}
          </option>
        ))}
      </optgroup>
      <optgroup label={words.calendar.topics}>
        {topics.map(({ topicId, name }) => (
          <option key={topicId} value={`topicId ${topicId}`}>
            {name}
          </option>
        ))}
      </optgroup>
    </NativeSelect>
  );
}
