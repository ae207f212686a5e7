import { NativeSelect, TextInput } from "@mantine/core";
import { words } from "../words/words.ts";

/** A choice of one of `options`, or of all. A value in the address that is no longer an option stays chosen. */
export function ChoiceField(props: {
  label: string;
  all: string;
  value: string | undefined;
  onChange: (value: string) => void;
  options: [string, string][];
}) {
  const { label, all, value = "", onChange, options } = props;
  const known = options.some(([option]) => option === value) || value === "";
  const data = [["", all], ...options, ...(known ? [] : [[value, words.components.another]])];
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={data.map(([option, text]) => ({ value: option!, label: text! }))}
    />
  );
}

/** A field for a day to filter by. Empty: any day. */
export function DayField(props: { label: string; value: string | undefined; onChange: (day: string) => void }) {
  const { label, value = "", onChange } = props;
  return (
    <TextInput label={label} type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}
