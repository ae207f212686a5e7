import { NumberInput, type NumberInputProps } from "@mantine/core";

type Props = Omit<NumberInputProps, "value" | "onChange"> & {
  value: number | null | undefined;
  /** Called with the number, or with null if the field is empty. */
  write: (value: number | null) => void;
};

/**
 * A field for a whole number. It does not correct what is typed, and the service refuses wrong input. A field that
 * changed -5 to 5 would save a number that nobody typed.
 */
export function WholeNumber({ value, write, ...rest }: Props) {
  // Text that is not yet a number, such as "-", stays in the field. The service refuses it too.
  const change = (typed: number | string) => write(typed === "" ? null : (typed as number));
  return <NumberInput clampBehavior="none" hideControls value={value ?? ""} onChange={change} {...rest} />;
}
