import { Alert } from "@mantine/core";
import { toApiError } from "../api/client.ts";
import { words } from "../words/words.ts";
import { Icon } from "./icon.tsx";

/** The error of a form. The faults of `fields` are left out, because the form shows them beside its fields. */
export function FormError({ error, fields = [] }: { error: unknown; fields?: string[] }) {
  if (error === null || error === undefined) return null;
  const { message, faults } = toApiError(error);
  const others = faults.filter(({ path }) => !fields.includes(path.slice(1)));
  const isBeside = faults.length > 0 && others.length === 0;
  return (
    <Alert color="red" variant="light" role="alert" icon={<Icon name="warning" />}>
      {isBeside ? words.components.formFaulty : message}
      {others.map((fault) => (
        <div key={fault.path}>{[fault.label, fault.message].filter((part) => part !== "").join(": ")}</div>
      ))}
    </Alert>
  );
}

/** Returns the fault of a field as a sentence, or undefined. */
export function faultIn(error: unknown, field: string): string | undefined {
  if (error === null || error === undefined) return undefined;
  return toApiError(error).faultOf(field);
}
