import { TextInput, type TextInputProps } from "@mantine/core";
import { completeAddress } from "./complete-address.ts";

type AddressInputProps = Omit<TextInputProps, "value" | "onChange" | "type"> & {
  value: string;
  write: (address: string) => void;
};

/** A field for an address. The address is completed when the field loses the focus, and on Enter. */
export function AddressInput({ value, write, ...props }: AddressInputProps) {
  const complete = () => {
    const address = completeAddress(value);
    if (address !== value) write(address);
  };
  return (
    <TextInput
      placeholder="https://"
      {...props}
      type="url"
      inputMode="url"
      value={value}
      onChange={(event) => write(event.currentTarget.value.trim())}
      onBlur={complete}
    />
  );
}
