import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style">;

/** Mantine components that navigate with the router. */
export const ButtonLink = createLink(
  ({ ref, ...props }: ButtonProps & Native & { ref?: React.Ref<HTMLAnchorElement> }) => (
    <Button component="a" ref={ref} {...props} />
  ),
);

export const TextLink = createLink(
  ({ ref, ...props }: AnchorProps & Native & { ref?: React.Ref<HTMLAnchorElement> }) => <Anchor ref={ref} {...props} />,
);

export const SideLink = createLink(
  ({ ref, ...props }: NavLinkProps & Native & { ref?: React.Ref<HTMLAnchorElement> }) => (
    <NavLink ref={ref} {...props} />
  ),
);
