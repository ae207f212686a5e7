import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useState } from "react";
import { ApiError, toApiError } from "../api/client.ts";
import { words } from "../words/words.ts";
import type { Asking } from "./ask-password.tsx";

// The dialog is seldom needed, so it is not part of the first page.
const AskPassword = lazy(async () => ({ default: (await import("./ask-password.tsx")).AskPassword }));

type WithRecentSignIn = <Answer>(act: () => Promise<Answer>) => Promise<Answer>;

const RecentSignInContext = createContext<WithRecentSignIn | null>(null);

/**
 * Returns a function that runs an action of the service. If the action needs a more recent sign-in, asks the person
 * to prove who they are, and runs the action again. Rejects with the action's error, or with `cancelled`.
 */
export function useRecentSignIn(): WithRecentSignIn {
  const context = useContext(RecentSignInContext);
  if (context === null) throw new Error("useRecentSignIn is only for the pages of signed-in people");
  return context;
}

const cancelled = () => new ApiError(0, { code: "cancelled", message: words.layout.passwordNeeded });

export function RecentSignIn({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const run = useMemo<WithRecentSignIn>(
    () => async (act) => {
      try {
        return await act();
      } catch (error) {
        if (toApiError(error).code !== "reauthentication_required") throw error;
      }
      await new Promise<void>((proceed, reject) => {
        setAsking({ proceed, cancel: () => reject(cancelled()) });
      }).finally(() => setAsking(null));
      return act();
    },
    [],
  );
  return (
    <RecentSignInContext value={run}>
      {children}
      <Suspense>{asking !== null && <AskPassword {...asking} />}</Suspense>
    </RecentSignInContext>
  );
}
