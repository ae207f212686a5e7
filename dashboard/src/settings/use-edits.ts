import { useState } from "react";
import { useUnsavedEdits } from "./unsaved-edits.tsx";

/** The input of a form: what is saved, with what the person has changed on top of it. */
export type Edits<Input> = {
  input: Input;
  write(change: Partial<Input>): void;
  /** Returns a function to call when the input of now is saved: it keeps what was typed since. */
  snapshot(): () => void;
};

/** Starts a form from saved settings. When those change, fields with unsaved input keep it. */
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
