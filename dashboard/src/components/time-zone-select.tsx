import { NativeSelect } from "@mantine/core";

const known = Intl.supportedValuesOf("timeZone");

/** A native select of time zones: it can be searched by typing, and works well on phones. */
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
