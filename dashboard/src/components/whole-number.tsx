import { NumberInput, type NumberInputProps } from "@mantine/core";

type Props = Omit<NumberInputProps, "value" | "onChange"> & {
  value: number | null | undefined;
  /** Null: the field is empty. */
  write: (value: number | null) => void;
};

/**
 * A field for a whole number. It takes what is typed, and the service refuses what it must: a field that turned -5 into
 * 5 would save what nobody asked for.
 */
export function WholeNumber({ value, write, ...rest }: Props) {
  // Text that is no number yet, such as "-", stays: the service refuses it, too.
  const change = (typed: number | string) => write(typed === "" ? null : (typed as number));
  return <NumberInput clampBehavior="none" hideControls value={value ?? ""} onChange={change} {...rest} />;
}
