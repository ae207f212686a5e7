import { useSearch } from "@tanstack/react-router";

/** Returns the day (YYYY-MM-DD) that the person chose in the calendar, if they came to Compose from there. */
export function usePlannedDay(): string | undefined {
  const { day } = useSearch({ strict: false }) as { day?: string };
  return day !== undefined && !Number.isNaN(Date.parse(day)) && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined;
}
