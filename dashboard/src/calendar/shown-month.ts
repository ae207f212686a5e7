import { createContext } from "react";
import type { Calendar } from "../api/calls.ts";
import type { RecurringSends } from "../api/recurring-send-calls.ts";
import type { Move } from "./move-dialog.tsx";
import type { OpenForm } from "./recurring-sends.tsx";

/** A month as the calendar shows it. `data`: the recurring sends. */
export type ShownMonth = Calendar & Pick<RecurringSends, "occurrences" | "data">;

/** What the entries of the calendar open: the form of a recurring send, and the dialog that moves a notification. */
export const CalendarActions = createContext<{ open: (form: OpenForm) => void; move: (move: Move) => void }>({
  open() {},
  move() {},
});

/** Whether something can be planned on a day: today or later. */
export const canPlanOn = ({ today }: ShownMonth, day: string) => day >= today;

/** What a month has on a day, the first first. */
export const entriesOn = ({ entries, occurrences }: ShownMonth, day: string) =>
  [...entries, ...occurrences].filter((entry) => entry.day === day).sort((a, b) => (a.at < b.at ? -1 : 1));
