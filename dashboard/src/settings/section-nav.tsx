import { NativeSelect } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { SideLink } from "../components/links.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import classes from "./section-nav.module.css";
import { type Section, sectionsOf } from "./sections.ts";

const route = "/sites/$siteId/settings/$section";

/** The navigation of the settings: links beside the section. On a phone, a list to choose from. */
export function SectionNav({ section: open }: { section: Section }) {
  const currentSite = useCurrentSite();
  const { siteId } = currentSite;
  const sections = sectionsOf(currentSite);
  const navigate = useNavigate();
  const { sections: names, section: label } = words.settings;
  return (
    <nav aria-label={label} className={classes.nav}>
      <NativeSelect
        hiddenFrom="md"
        label={label}
        value={open}
        data={sections.map((section) => ({ value: section, label: names[section] }))}
        onChange={(event) => void navigate({ to: route, params: { siteId, section: event.currentTarget.value } })}
      />
      <ul className={classes.links}>
        {sections.map((section) => (
          <li key={section}>
            <SideLink to={route} params={{ siteId, section }} className={classes.link} label={names[section]} />
          </li>
        ))}
      </ul>
    </nav>
  );
}
