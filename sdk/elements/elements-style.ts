/**
 * The style of the elements, in their shadow roots. They take the font and colors of the page, and the accent of the
 * prompt. The bell is a mask without a URL, so that no content security policy blocks it.
 */
export const elementsStyle = `
:host{display:inline-block;--accent:var(--pressbell-accent,#1f4fd8);--on:var(--pressbell-on-accent,#fff);
  font-family:var(--pressbell-font,inherit);vertical-align:top}
:host(:not([state])),:host([hidden]),:host([state=unsupported]),:host([state=unknown]){display:none!important}
button{font:inherit;font-weight:600;min-height:44px;min-width:44px;padding:.4rem 1rem;border:1px solid;border-radius:10px;
  background:none;color:inherit;cursor:pointer}
:host(pressbell-subscribe:not([state=subscribed])) button,[aria-pressed=true]{background:var(--accent);border-color:var(--accent);color:var(--on)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[aria-pressed]::before{content:"+ ";content:"+ "/""}
[aria-pressed=true]::before{content:"✓ ";content:"✓ "/""}
i{display:none;width:24px;height:24px;background:currentColor;
  clip-path:path("M12 2a7 7 0 0 0-7 7v6l-2 4h18l-2-4V9a7 7 0 0 0-7-7zm0 2a5 5 0 0 1 5 5v6.5l.8 1.5H6.2l.8-1.5V9a5 5 0 0 1 5-5zM9 20a3 3 0 0 0 6 0z")}
:host([state=subscribed]) i{clip-path:path("M12 2a7 7 0 0 0-7 7v6l-2 4h18l-2-4V9a7 7 0 0 0-7-7zM9 20a3 3 0 0 0 6 0z")}
:host([state=denied]) i{clip-path:path("M12 2a7 7 0 0 0-7 7v6l-2 4h18l-2-4V9a7 7 0 0 0-7-7zm0 2a5 5 0 0 1 5 5v6.5l.8 1.5H6.2l.8-1.5V9a5 5 0 0 1 5-5zM9 20a3 3 0 0 0 6 0zM3 3.4 20.6 21 22 19.6 4.4 2z")}
:host(pressbell-bell) button{padding:9px;border:0;border-radius:50%}
:host(pressbell-bell) i{display:block}
:host(pressbell-bell) span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
p{margin:.4rem 0 0;max-width:20rem}
p:empty{margin:0}
@media(forced-colors:active){i{background:ButtonText}}
`;
