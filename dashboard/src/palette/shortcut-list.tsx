import { Modal, Switch, Table } from "@mantine/core";
import { use, useState } from "react";
import { areSingleKeysOn, commandKey, switchSingleKeys } from "../layout/keys.ts";
import { CurrentSiteContext } from "../layout/session.tsx";
import { sitePages } from "../layout/site-pages.ts";
import classes from "./shortcut-list.module.css";

/** The keyboard shortcuts that work here. */
// biome-ignore lint/style/noDefaultExport: React's lazy takes the default export
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const currentSite = use(CurrentSiteContext);
  const [isOn, setOn] = useState(areSingleKeysOn());
  const ofSite: [string[], string][] = [
    ...(currentSite?.canEdit ? [[["c"], "Compose"] as [string[], string]] : []),
    ...sitePages.map(({ key, label }): [string[], string] => [["g", key], label]),
    [["w"], "Newsroom screen"],
  ];
  const all: [string[], string][] = [
    [[`${commandKey}K`], "Find a page, an action or a nudge"],
    ...(currentSite === null ? [] : ofSite),
    [["?"], "This list"],
    [["Esc"], "Close what is open"],
  ];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {all.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td>{what}</Table.Td>
              <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
                {keys.map((key, i) => (
                  <span key={key}>
                    {i > 0 && " then "}
                    <kbd className={classes.key}>{key}</kbd>
                  </span>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={`Keys without ${commandKey.trim()} are shortcuts`}
        description="Switch them off if you dictate to this browser. The list is also in the palette."
        checked={isOn}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          switchSingleKeys(event.currentTarget.checked);
        }}
      />
    </Modal>
  );
}
