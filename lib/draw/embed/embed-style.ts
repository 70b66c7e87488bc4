import { verdicts } from '../../domain/verdict/verdict.ts';
import { embedRefresh, embedValidity } from './embed-content.ts';
import { themeVariables, tintRules } from './embed-theme.ts';

const valid = `${embedValidity / 1000}s`;

/** Letters that every machine has: those of the pages would be fetched anew with every refresh. */
export const embedFont = '"IBM Plex Sans",system-ui,-apple-system,"Segoe UI",sans-serif';

const hatch =
  'repeating-linear-gradient(45deg,color-mix(in srgb,var(--field) 50%,var(--paper)) 0 1px,var(--paper) 1px 6px)';

/**
 * Style that makes an embed visibly dead by itself: no script and no clock but that of its own animations, which begin when it is
 * shown. Colour goes, the ground is hatched, words are struck, and a line says so. They step at their start: Chromium ends a long
 * animation a fraction of a microsecond early, where one that steps at its end has never stepped.
 */
const expiry = `
@keyframes old-ground{to{filter:grayscale(1);background:${hatch}}}
@keyframes old-words{to{text-decoration:line-through;color:var(--mute);background:var(--paper)}}
@keyframes old-line{to{visibility:visible;max-height:4em}}
@keyframes old-sign{to{color:var(--mute);background:var(--paper);border-color:var(--mute)}}
.embed{animation:old-ground 1s step-start ${valid} forwards}
.words{animation:old-words 1s step-start ${valid} forwards}
.sign{animation:old-sign 1s step-start ${valid} forwards}
.old{visibility:hidden;max-height:0;animation:old-line 1s step-start ${valid} forwards}
`;

/** The one style of every embed; its hash stands in the policy of the answer. */
export const embedStyle = `${themeVariables(':root')}
*{box-sizing:border-box}
html,body{margin:0;height:100%}
body{background:var(--paper);color:var(--ink);font:13px/1.45 ${embedFont};font-variant-numeric:tabular-nums}
.embed{min-height:100%;padding:8px 12px;display:flex;flex-direction:column;gap:5px;background:var(--paper);overflow-wrap:anywhere}
a{color:inherit;text-decoration-color:var(--field);text-underline-offset:2px}
a:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
header{display:flex;flex-wrap:wrap;gap:0 12px;color:var(--mute);font-size:12px}
header a{color:var(--ink);font-weight:600}
header p,.standing,.more{margin:0}
header>*,th>*,.more,.note{background:var(--paper)}
.old{flex-basis:100%;color:var(--ink);font-weight:600}
h1{margin:0;font-size:15px;line-height:1.35;font-weight:400;display:flex;gap:8px;max-width:72ch}
h1 b{font-weight:600}
.sign{flex:none;display:inline-block;vertical-align:-2px}
h1 .sign{margin-top:3px}
.counts{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:2px 14px}
.standing,.more{color:var(--mute);font-size:12px}
table{border-collapse:collapse;font-size:12.5px;text-align:left}
.lines{width:100%;table-layout:fixed}
.lines th{width:38%}
.lines td,.lines th{border-top:1px solid var(--faint);padding:3px 8px 3px 0;font-weight:400;vertical-align:top}
.lines td:first-child{width:24px}
.lines .note{color:var(--mute)}
.scroll{position:relative;overflow-x:auto}
.matrix th{font-weight:400;padding:2px 8px 2px 0;white-space:nowrap}
.matrix thead th{vertical-align:bottom;color:var(--mute)}
.matrix thead th+th{padding:0;width:30px;min-width:30px}
.matrix thead th+th>span{display:block;writing-mode:vertical-rl;transform:rotate(180deg);max-height:130px;overflow:hidden;text-overflow:ellipsis;padding:6px}
.matrix td{width:30px;height:27px;text-align:center;border:1px solid var(--faint)}
.matrix td a{display:block}
.silent{border:2px solid var(--ink);padding:1px}
${verdicts.map((verdict) => `.c-${verdict}{color:var(--${verdict})}.silent.c-${verdict}{color:var(--paper);background:var(--${verdict})}`).join('')}
.c-ink{color:var(--ink)}.c-field{color:var(--field)}
${tintRules('.t-')}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
object{position:fixed;inset:0;width:100%;height:100%;border:0}
@media(forced-colors:active){.sign{color:CanvasText!important}}
${expiry}`;

/**
 * Looks for news every minute and when the page is seen again. What stands there goes only when there is something of ours in
 * its place: a server that is away, or a proxy that answers for it, leaves the words standing until they grey themselves out.
 */
export const embedScript = `(()=>{
const style=document.querySelector('style').textContent;
async function again(){
try{
const answer=await fetch(location.href,{cache:'no-store',credentials:'omit'});
const page=new DOMParser().parseFromString(await answer.text(),'text/html');
const fresh=page.querySelector('main.embed');
if(!fresh)return;
if(page.querySelector('style').textContent!==style)return location.reload();
const at=document.activeElement.getAttribute('href');
document.title=page.title;
document.querySelector('main.embed').replaceWith(fresh);
if(at)fresh.querySelector('a[href="'+CSS.escape(at)+'"]')?.focus();
}catch{}
}
setInterval(again,${embedRefresh * 1000});
document.addEventListener('visibilitychange',()=>{if(!document.hidden)again()});
})()`;
