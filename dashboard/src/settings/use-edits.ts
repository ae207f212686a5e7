import { useState } from "react";
import { useUnsavedEdits } from "./unsaved-edits.tsx";

/** The input of a form: the saved settings, with the changes of the person. */
export type Edits<Input> = {
  input: Input;
  write(change: Partial<Input>): void;
  /** Returns a function to call once the present input is saved. It keeps what the person has typed since. */
  snapshot(): () => void;
};

/** Starts a form from saved settings. When these change, fields with unsaved input keep their input. */
export function useEdits<Input extends object>(saved: Input): Edits<Input> {
  const [edits, setEdits] = useState<Partial<Input>>({});
  useUnsavedEdits(JSON.stringify({ ...saved, ...edits }) !== JSON.stringify(saved));
  return {
    input: { ...saved, ...edits },
    write: (change) => setEdits((now) => ({ ...now, ...change })),
    snapshot: () => () => setEdits((now) => withoutSaved(now, edits)),
  };
}

function withoutSaved<Input extends object>(now: Partial<Input>, sent: Partial<Input>): Partial<Input> {
  const typedSince = Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Input]);
  return Object.fromEntries(typedSince) as Partial<Input>;
}
