import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Subscribers } from "../api/calls.ts";
import { changeSegment, type Segment } from "../api/segment-calls.ts";
import { Confirm } from "../components/confirm.tsx";
import { CopyText } from "../components/copy.tsx";
import { countOf } from "../components/numbers.ts";
import { Loaded } from "../components/states.tsx";
import { audienceQuery } from "../compose/audience-query.ts";
import { useSegments } from "../compose/use-segments.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { sayRule } from "./segment-words.ts";

const SegmentForm = lazy(async () => ({ default: (await import("./segment-form.tsx")).SegmentForm }));

/** The open form: that of one segment, that of a new one, or none. */
type Open = Segment | "new" | null;

/** The segments of a site, each with the readers that it has now. Editors add, change and retire them. */
export function Segments({ data }: { data: Subscribers }) {
  const { canEdit } = useCurrentSite();
  const query = useSegments();
  const [open, setOpen] = useState<Open>(null);
  return (
    <Paper component="section" aria-label={words.subscribers.segments}>
      <Title order={2} size="h4" mb={4}>
        {words.subscribers.segments}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {words.subscribers.segmentsLead}
      </Text>
      <Loaded of={query}>
        {(found) => (
          <>
            <List
              segments={found.data.filter(({ isRetired }) => !isRetired)}
              topics={data.topics}
              onChange={canEdit ? setOpen : null}
            />
            {canEdit && (
              <Button variant="default" onClick={() => setOpen("new")}>
                {words.subscribers.newSegment}
              </Button>
            )}
            {open !== null && (
              <Suspense>
                <SegmentForm
                  segment={open === "new" ? null : open}
                  subscribers={data}
                  known={found}
                  onClose={() => setOpen(null)}
                />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Paper>
  );
}

/** The list of segments. `onChange` null: the person may only read it. */
function List(props: {
  segments: Segment[];
  topics: Subscribers["topics"];
  onChange: ((segment: Segment) => void) | null;
}) {
  const { segments, topics, onChange } = props;
  const { tenantId, siteId } = useCurrentSite();
  const [retired, setRetired] = useState<Segment | null>(null);
  const queries = useQueryClient();
  return (
    <>
      <Stack gap="sm" mb="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {segments.map((segment) => (
          <Group key={segment.segmentId} component="li" gap="xs" wrap="wrap" align="flex-start">
            <div style={{ flex: 1, minWidth: 180 }}>
              <Text size="sm" dir="auto">
                {segment.name}
              </Text>
              <Text size="xs" c="dimmed">
                <bdi>{sayRule(segment.rule, topics)}</bdi>
              </Text>
            </div>
            <Size segmentId={segment.segmentId} />
            <CopyText text={segment.segmentId} label={words.subscribers.idOfTheSegment({ name: segment.name })} />
            {onChange !== null && (
              <>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={words.subscribers.changeSegmentLabel({ name: segment.name })}
                  onClick={() => onChange(segment)}
                >
                  {words.subscribers.change}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={words.subscribers.retireSegmentLabel({ name: segment.name })}
                  onClick={() => setRetired(segment)}
                >
                  {words.subscribers.retire}
                </Button>
              </>
            )}
          </Group>
        ))}
      </Stack>
      <Confirm
        opened={retired !== null}
        onClose={() => setRetired(null)}
        title={words.subscribers.retireSegmentTitle}
        action={words.subscribers.retireSegmentConfirm}
        act={async () => {
          await changeSegment(tenantId, siteId, retired!.segmentId, { retired: true });
          await queries.invalidateQueries();
        }}
      >
        {words.subscribers.retireSegmentWarning({ name: retired?.name ?? "" })}
      </Confirm>
    </>
  );
}

function Size({ segmentId }: { segmentId: string }) {
  const size = useQuery(audienceQuery(useCurrentSite(), { topicIds: [], segment: segmentId }));
  return (
    <Text size="sm" className="figures">
      {size.data === undefined ? "…" : countOf(size.data.audience, size.data.exact)}
    </Text>
  );
}
