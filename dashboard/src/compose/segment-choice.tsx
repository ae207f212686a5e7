import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { words } from "../words/words.ts";
import { useSegments } from "./use-segments.ts";

type SegmentChoiceProps = {
  /** The id of a segment. Empty: none. */
  value: string;
  /** The label of the choice without a segment. */
  none: string;
  onChange: (segment: string) => void;
  disabled?: boolean;
  error?: ReactNode;
};

/**
 * The choice of a segment of the site. A retired one is listed only if it is chosen. Shows nothing at a site without
 * segments.
 */
export function SegmentChoice({ value, none, onChange, disabled = false, error }: SegmentChoiceProps) {
  const found = useSegments().data?.data ?? [];
  const shown = found.filter(({ isRetired, segmentId }) => !isRetired || segmentId === value);
  if (shown.length === 0) return null;
  return (
    <NativeSelect
      label={words.compose.segment}
      description={words.compose.segmentHint}
      disabled={disabled}
      value={value}
      data={[{ value: "", label: none }, ...shown.map(({ segmentId, name }) => ({ value: segmentId, label: name }))]}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}
