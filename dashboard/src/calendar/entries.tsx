import { Anchor } from "@mantine/core";
import { useContext, useState } from "react";
import type { OccurrenceView } from "../api/recurring-send-calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import classes from "./calendar.module.css";
import { Entry } from "./entry.tsx";
import { Occurrence } from "./occurrence.tsx";
import { CalendarActions, entriesOn, type ShownMonth } from "./shown-month.ts";

/** The number of entries of a day that are shown at first. */
const shownEntries = 4;

/** The entries of a day in order of time. A button shows the rest. */
export function Entries({ data, day }: { data: ShownMonth; day: string }) {
  const [isWhole, setWhole] = useState(false);
  const entries = entriesOn(data, day);
  const shown = isWhole ? entries : entries.slice(0, shownEntries);
  if (entries.length === 0) return null;
  return (
    <>
      <ul className={classes.entries}>
        {shown.map((entry) =>
          "recurringSendId" in entry ? (
            <li key={entry.recurringSendId}>
              <OccurrenceOf entry={entry} data={data} />
            </li>
          ) : (
            <Entry key={entry.campaignId} entry={entry} />
          ),
        )}
      </ul>
      {shown.length < entries.length && (
        <Anchor component="button" type="button" size="sm" mt={4} onClick={() => setWhole(true)}>
          {words.calendar.more({ n: entries.length - shown.length })}
        </Anchor>
      )}
    </>
  );
}

function OccurrenceOf({ entry, data }: { entry: OccurrenceView; data: ShownMonth }) {
  const { canEdit } = useCurrentSite();
  const { open } = useContext(CalendarActions);
  const of = data.data.find(({ recurringSendId }) => recurringSendId === entry.recurringSendId)!;
  return <Occurrence occurrence={entry} of={of} change={canEdit ? () => open(of) : null} />;
}
