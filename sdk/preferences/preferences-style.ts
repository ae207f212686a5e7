/**
 * The style of the form, in a shadow root. It takes the font and colors of the page. It has no URL, so no policy
 * blocks it.
 */
export const preferencesStyle = `
:host{display:block;--accent:var(--pressbell-accent,#1f4fd8);--on:var(--pressbell-on-accent,#fff);
  font-family:var(--pressbell-font,inherit);line-height:1.5;overflow-wrap:anywhere}
section{max-width:36rem;margin:0 auto}
form{margin-bottom:2.5rem}
fieldset{border:0;margin:0 0 1.5rem;padding:0}
legend,h2{font-size:1.05rem;font-weight:600;margin:0 0 .5rem;padding:0}
label{display:flex;align-items:center;gap:.6rem;min-height:44px}
input[type=checkbox],input[type=radio]{width:1.2rem;height:1.2rem;margin:0;accent-color:var(--accent);flex:none}
select,input[type=time]{font:inherit;min-height:44px;padding:0 .6rem;color:inherit;background:Canvas;border:1px solid #8888;border-radius:8px}
small{opacity:.75}
p{margin:.25rem 0}
ul{list-style:none;margin:0 0 1.5rem;padding:0}
li{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:center;justify-content:space-between;padding:.4rem 0;border-bottom:1px solid #8883}
a{color:inherit}
button{font:inherit;min-height:44px;padding:.4rem 1rem;border:1px solid #8888;border-radius:10px;background:none;color:inherit;cursor:pointer}
.data{display:flex;gap:1rem;margin-top:1.5rem}
.data button{border:0;padding:0;font-size:.9em;text-decoration:underline}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=status]{min-height:1.5em}
`;
