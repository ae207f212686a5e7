/**
 * The style of the prompt, in a shadow root. The page can set three custom properties. Logical properties follow the
 * direction of the text. The style has no URL, so no content security policy blocks any of it.
 */
export const promptStyle = `
:host{all:initial!important}
[role]{
  --back:#fff;--text:#16181d;--soft:#4b5260;--line:#d9dce3;
  --accent:var(--pressbell-accent,#1f4fd8);--on:var(--pressbell-on-accent,#fff);
  position:fixed;z-index:2147483647;box-sizing:border-box;
  inset-inline-end:20px;bottom:20px;width:380px;max-height:calc(100vh - 40px);overflow:auto;
  display:grid;grid-template-columns:44px 1fr;gap:4px 14px;padding:20px;
  border:1px solid var(--line);border-radius:16px;
  background:var(--back);color:var(--text);box-shadow:0 12px 40px #0003;
  font:400 15px/1.5 var(--pressbell-font,system-ui,sans-serif);text-align:start;overflow-wrap:anywhere;outline:0;
}
i{grid-row:span 2;width:44px;height:44px;border-radius:12px;background:var(--accent);display:grid;place-items:center;forced-color-adjust:none}
i::before{content:"";width:24px;height:24px;background:var(--on);
  clip-path:path("M12 2a7 7 0 0 0-7 7v6l-2 4h18l-2-4V9a7 7 0 0 0-7-7zM9 20a3 3 0 0 0 6 0z")}
h2{margin:0;font-size:17px;line-height:1.3}
p{margin:0;color:var(--soft)}
a{color:inherit}
ol{grid-column:1/-1;display:flex;gap:12px;margin:12px 0 0;padding:0;list-style:none}
li{display:flex;gap:12px;align-items:center;font-size:24px;line-height:1}
li+li::before{content:"›"}
li::after{content:"";width:28px;height:28px;background:var(--text);forced-color-adjust:none}
.more::after{clip-path:path("M4 14a2 2 0 0 0 4 0a2 2 0 0 0-4 0zm8 0a2 2 0 0 0 4 0a2 2 0 0 0-4 0zm8 0a2 2 0 0 0 4 0a2 2 0 0 0-4 0z")}
.share::after{clip-path:path("M14 1l6 6-1.4 1.4L15 4.8V17h-2V4.8L9.4 8.4 8 7zM10 10H5v16h18V10h-5v2h3v12H7V12h3z")}
.add::after{clip-path:path(evenodd,"M4 4h20v20H4zm2 2v16h16V6zm7 3h2v4h4v2h-4v4h-2v-4H9v-2h4z")}
fieldset{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:8px;margin:10px 0 0;padding:0;border:0}
legend{padding:0 0 8px;font-weight:600}
label{display:flex;align-items:center;gap:8px;min-height:36px;padding:4px 12px;border:1px solid var(--line);
  border-radius:18px;cursor:pointer}
label:has(:checked){border-color:var(--accent)}
input{width:18px;height:18px;margin:0;accent-color:var(--accent)}
div div{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:10px;justify-content:end;margin-top:14px}
button{min-height:44px;padding:8px 16px;border:1px solid var(--line);border-radius:10px;background:none;color:inherit;
  font:inherit;font-weight:600;line-height:1.2;cursor:pointer}
button+button{background:var(--accent);border-color:var(--accent);color:var(--on)}
button:hover{filter:brightness(.92)}
a:focus-visible,button:focus-visible,label:focus-within:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
@media(max-width:480px){
  [role]{inset-inline:12px;width:auto;bottom:max(12px,env(safe-area-inset-bottom))}
  button{flex:auto}
}
@media(prefers-color-scheme:dark){
  [role]{--back:#1e2026;--text:#f2f4f8;--soft:#b9bfcc;--line:#3b404c;
    --accent:var(--pressbell-accent,#8fb0ff);--on:var(--pressbell-on-accent,#0c1530)}
}
@media(prefers-reduced-motion:no-preference){
  [role]{animation:up .25s ease-out}
  @keyframes up{from{opacity:0;transform:translateY(16px)}}
}
@media print{[role]{display:none}}
`;
