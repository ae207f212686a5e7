import { List, ThemeIcon } from "@mantine/core";
import type { Verdict } from "../api/calls.ts";
import { words } from "../words/words.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Said } from "./said.tsx";

type Effect = "blocks" | "lowers" | "raises" | "informs";

const effects: Record<Effect, { icon: IconName; color: string }> = {
  blocks: {
    icon: "cross",
    color: "red",
  },
  lowers: {
    icon: "down",
    color: "yellow",
  },
  raises: {
    icon: "up",
    color: "green",
  },
  informs: {
    icon: "info",
    color: "gray",
  },
};

/** The reasons of a decision, each with its effect. */
export function Reasons({ reasons }: Pick<Verdict, "reasons">) {
  return (
    <List spacing={6} size="sm" listStyleType="none" styles={{ itemWrapper: { alignItems: "flex-start" } }}>
      {reasons.map(({ code, effect, ...sentence }) => (
        <List.Item
          key={code}
          icon={
            <ThemeIcon
              size={20}
              radius="xl"
              variant="light"
              color={effects[effect].color}
              role="img"
              aria-label={words.components.effects[effect]}
            >
              <Icon name={effects[effect].icon} size={13} />
            </ThemeIcon>
          }
        >
          <span dir="auto">
            <Said of={sentence} />
          </span>
        </List.Item>
      ))}
    </List>
  );
}
