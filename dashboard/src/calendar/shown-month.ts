import { createContext } from "react";
import type { Calendar } from "../api/calls.ts";
import type { RecurringSends } from "../api/recurring-send-calls.ts";
import type { Move } from "./move-dialog.tsx";
import type { OpenForm } from "./recurring-sends.tsx";

/** A month as the calendar shows it. `data`: the recurring sends. */
export type ShownMonth = Calendar & Pick<RecurringSends, "occurrences" | "data">;

/**
 * The actions of the calendar's entries: open the form of a recurring send, or the dialog that moves a notification.
 */
export const CalendarActions = createContext<{ open: (form: OpenForm) => void; move: (move: Move) => void }>({
  open() {},
  move() {},
});

/** Returns whether something can be planned on a day: today or later. */
export const canPlanOn = ({ today }: ShownMonth, day: string) => day >= today;

/** Returns the entries and occurrences of a day, in order of time. */
export const entriesOn = ({ entries, occurrences }: ShownMonth, day: string) =>
  [...entries, ...occurrences].filter((entry) => entry.day === day).sort((a, b) => (a.at < b.at ? -1 : 1));
