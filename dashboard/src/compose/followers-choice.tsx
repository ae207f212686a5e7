import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { count } from "../components/numbers.ts";
import { words } from "../words/words.ts";
import { useFollowedKeys } from "./use-followed-keys.ts";

/**
 * The choice of a story, author or series. Only its followers get the campaign. `value` empty: none is chosen. Shows
 * nothing at a site whose readers follow nothing.
 */
export function FollowersChoice({ value, onChange }: { value: string; onChange: (followersOf: string) => void }) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed === value ? "" : typed, 300);
  const { data } = useFollowedKeys(search);
  const { data: most } = useFollowedKeys("");
  if (value === "" && (most === undefined || most.data.length === 0)) return null;
  const found = data?.data ?? [];
  const others = value === "" || found.some(({ key }) => key === value) ? [] : [{ value, label: value }];
  return (
    <Select
      label={words.compose.followersOf}
      description={words.compose.followersHint}
      placeholder={words.compose.followersPlaceholder}
      data={[...others, ...found.map(({ key }) => ({ value: key, label: key }))]}
      renderOption={({ option }) => {
        const followers = found.find(({ key }) => key === option.value)?.followers;
        return followers === undefined ? option.label : `${option.label} · ${count(followers)}`;
      }}
      filter={({ options }) => options}
      value={value === "" ? null : value}
      onChange={(key) => onChange(key ?? "")}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text);
        // Without this, the field could be emptied only with a pointer.
        if (text === "" && value !== "") onChange("");
      }}
      nothingFoundMessage={words.compose.followersNotFound}
      searchable
      clearable
    />
  );
}
