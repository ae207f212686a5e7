import { TextInput, type TextInputProps } from "@mantine/core";
import { locale } from "../words/language.ts";

const partsOfAMillion = new Intl.NumberFormat(locale).formatToParts(1_000_000);
const groupSign = partsOfAMillion.find(({ type }) => type === "group")?.value ?? ",";

/** Removes the signs between thousands, as the page writes them: "50,000". */
const withoutGroups = (text: string) =>
  text.split(groupSign).every((part, i) => (i === 0 ? /^-?\d{1,3}$/.test(part) : /^\d{3}$/.test(part)))
    ? text.replaceAll(groupSign, "")
    : text;

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  value: number | null | undefined;
  /** Called with the number, or with null if the field is empty. */
  write: (value: number | null) => void;
};

/**
 * A field for a whole number. It does not correct what is typed, and the service refuses wrong input. A field that
 * changed -5 to 5 would save a number that nobody typed.
 */
export function WholeNumber({ value, write, ...rest }: Props) {
  const change = (typed: string) => {
    const text = withoutGroups(typed.trim());
    const number = Number(text);
    // Text that is not such a number, such as "-" or "05", stays in the field. The service refuses it.
    const isWhole = Number.isSafeInteger(number) && String(number) === text;
    write(text === "" ? null : ((isWhole ? number : typed) as number));
  };
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      value={value ?? ""}
      onChange={(event) => change(event.currentTarget.value)}
      {...rest}
    />
  );
}
