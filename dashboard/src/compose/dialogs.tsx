import { type ComponentProps, lazy, Suspense } from "react";

const Schedule = lazy(async () => ({ default: (await import("./schedule-dialog.tsx")).ScheduleDialog }));
const Send = lazy(async () => ({ default: (await import("./send-dialog.tsx")).SendDialog }));

/** The dialog to schedule a campaign. It loads its script later than the page around it. */
export function ScheduleDialog(props: ComponentProps<typeof Schedule>) {
  return (
    <Suspense>
      <Schedule {...props} />
    </Suspense>
  );
}

/** The dialog to send a campaign. It loads its script later than the page around it. */
export function SendDialog(props: ComponentProps<typeof Send>) {
  return (
    <Suspense>
      <Send {...props} />
    </Suspense>
  );
}
