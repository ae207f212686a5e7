import { Box, Text } from "@mantine/core";
import { type DragEvent, useContext, useState } from "react";
import { useCurrentSite } from "../layout/session.tsx";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";
import classes from "./calendar.module.css";
import { Entries } from "./entries.tsx";
import { draggedType } from "./entry.tsx";
import { PlanLink } from "./plan-link.tsx";
import { CalendarActions, canPlanOn, type ShownMonth } from "./shown-month.ts";
import { weeksOf } from "./weeks.ts";

/** The weekdays from Monday on. 1 January 2024 was a Monday. */
const weekdays = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + day)),
);

/** The month as a table of weeks, for wide screens. A planned notification can be dragged to another day. */
export function Month({ data }: { data: ShownMonth }) {
  const { canEdit } = useCurrentSite();
  return (
    <Box visibleFrom="md">
      <table className={classes.month}>
        <thead>
          <tr>
            {weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(data.month).map((week, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: weeks have no other name
            <tr key={row}>
              {week.map((day, column) =>
                day === null ? <td key={weekdays[column]} /> : <Day key={weekdays[column]} data={data} day={day} />,
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {canEdit && (
        <Text size="xs" c="dimmed" m="xs">
          {words.calendar.howToPlan}
        </Text>
      )}
    </Box>
  );
}

function Day({ data, day }: { data: ShownMonth; day: string }) {
  const { canEdit } = useCurrentSite();
  const { move } = useContext(CalendarActions);
  const [isOver, setOver] = useState(false);
  const canPlan = canEdit && canPlanOn(data, day);
  const isToday = day === data.today;
  const label = String(Number(day.slice(8)));
  const onDragOver = (event: DragEvent) => {
    if (!canPlan || !event.dataTransfer.types.includes(draggedType)) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    move({ campaignId: event.dataTransfer.getData(draggedType), day });
  };
  return (
    <td
      data-day={day}
      data-over={isOver || undefined}
      className={isToday ? classes.today : undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {canPlan ? (
        <PlanLink day={day} label={label} isToday={isToday} />
      ) : (
        <Text size="sm" fw={isToday ? 700 : 500} mb={4}>
          {label}
        </Text>
      )}
      <Entries data={data} day={day} />
    </td>
  );
}
