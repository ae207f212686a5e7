import { TextInput } from "@mantine/core";

/** An input for a code of an authenticator app, which browsers and password managers recognize and fill. */
export function CodeInput(props: {
  label: string;
  description?: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}) {
  const { onChange, ...rest } = props;
  return (
    <TextInput
      {...rest}
      autoComplete="one-time-code"
      inputMode="text"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
