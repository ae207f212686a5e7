import { useSearch } from "@tanstack/react-router";

/** Returns the day (YYYY-MM-DD) for which somebody has come to Compose from the calendar, if there is one. */
export function usePlannedDay(): string | undefined {
  const { day } = useSearch({ strict: false }) as { day?: string };
  return day !== undefined && !Number.isNaN(Date.parse(day)) && /^\d{4}-\d\d-\d\d$/.test(day) ? day : undefined;
}
