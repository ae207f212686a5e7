import { NativeSelect } from "@mantine/core";

const known = Intl.supportedValuesOf("timeZone");

/** The browser's own list of time zones: searched by typing, and at home on a phone. */
export function TimeZoneSelect(props: {
  label: string;
  description?: string;
  value: string;
  onChange: (timeZone: string) => void;
  error?: string | undefined;
  disabled?: boolean;
}) {
  const { onChange, error, ...rest } = props;
  const zones = [...new Set([props.value, "UTC", ...known])];
  return (
    <NativeSelect
      {...rest}
      {...(error === undefined ? {} : { error })}
      data={zones}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
