import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { toApiError } from "../api/client.ts";
import {
  addSegment,
  changeSegment,
  countSegment,
  type Segment,
  type SegmentRule,
  type Segments,
} from "../api/segment-calls.ts";
import { FormError, faultIn } from "../components/form-error.tsx";
import { people } from "../components/numbers.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { Clicks, Days, daysFields, Facts, Languages, PushServices, TimeZones, Topics } from "./segment-conditions.tsx";

/**
 * The form of a segment, with the readers that it has now. `segment` null: a new one. `known`: since when the site
 * knows who clicks, and which facts it has declared.
 */
export function SegmentForm(props: {
  segment: Segment | null;
  subscribers: Subscribers;
  known: Pick<Segments, "countsClicks" | "clicksKnownFrom" | "facts">;
  onClose: () => void;
}) {
  const { segment, subscribers, known, onClose } = props;
  const { tenantId, siteId } = useCurrentSite();
  const [name, setName] = useState(segment?.name ?? "");
  const [rule, setRule] = useState<SegmentRule>(segment?.rule ?? {});
  const queries = useQueryClient();
  const save = useMutation({
    async mutationFn() {
      if (segment === null) await addSegment(tenantId, siteId, { name, rule });
      else await changeSegment(tenantId, siteId, segment.segmentId, { name, rule });
    },
    async onSuccess() {
      onClose();
      await queries.invalidateQueries();
    },
  });
  const part = { rule, set: (change: Partial<SegmentRule>) => setRule((now) => without({ ...now, ...change })) };
  const form = { ...part, error: save.error };
  const title = segment === null ? words.subscribers.newSegment : words.subscribers.changeSegmentTitle;
  return (
    <Modal opened onClose={onClose} size="lg" title={<b>{title}</b>} data-testid="segment-form">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <FormError
            error={save.error}
            fields={["name", ...[...daysFields, "timeZones", "languages"].map((field) => `rule/${field}`)]}
          />
          <TextInput
            label={words.subscribers.nameOfTheSegment}
            placeholder={words.subscribers.segmentNameExample}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultIn(save.error, "name")}
            data-autofocus
          />
          <Text size="sm" c="dimmed">
            {words.subscribers.segmentFormLead}
          </Text>
          <Days
            {...form}
            legend={words.subscribers.subscribed}
            within="subscribedWithinDays"
            before="subscribedBeforeDays"
            beforeLabel={words.subscribers.longerAgo}
          />
          <Days
            {...form}
            legend={words.subscribers.wasHere}
            within="seenWithinDays"
            before="notSeenForDays"
            beforeLabel={words.subscribers.notInTheLast}
          />
          <Clicks {...form} {...known} />
          <Topics {...form} topics={subscribers.topics} />
          <PushServices {...form} pushServices={subscribers.pushServices.map(({ pushService }) => pushService)} />
          <TimeZones {...form} />
          <Languages {...form} />
          <Facts {...form} declared={known.facts} />
          <Group justify="space-between">
            <Readers rule={rule} />
            <Button type="submit" loading={save.isPending}>
              {words.subscribers.saveSegment}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Returns the rule without its empty conditions. */
function without({ topics = {}, facts = {}, ...others }: SegmentRule): SegmentRule {
  return filled({ ...others, topics: filled(topics), facts: filled(facts) });
}

/** Returns an object without the members that are undefined or empty. */
function filled<T extends object>(of: T): T {
  const says = (value: unknown) =>
    typeof value === "object" ? Object.keys(value ?? {}).length > 0 : value !== undefined;
  return Object.fromEntries(Object.entries(of).filter(([, value]) => says(value))) as T;
}

/** The number of readers that match the rule now. It is counted when the typing pauses. */
function Readers({ rule }: { rule: SegmentRule }) {
  const { tenantId, siteId } = useCurrentSite();
  const [counted] = useDebouncedValue(rule, 400);
  const size = useQuery({
    queryKey: ["segment-size", siteId, JSON.stringify(counted)],
    queryFn: () => countSegment(tenantId, siteId, counted),
    enabled: Object.keys(counted).length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (Object.keys(rule).length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.subscribers.noConditionsHint}
      </Text>
    );
  }
  const [fault] = size.error === null ? [] : toApiError(size.error).faults;
  return (
    <Text size="sm" fw={600} className="figures" aria-live="polite" data-testid="segment-size">
      {fault?.message ??
        (size.data === undefined
          ? "…"
          : words.subscribers.segmentSize({ people: people(size.data.readers, size.data.exact) }))}
    </Text>
  );
}
