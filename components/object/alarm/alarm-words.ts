import type { WireObjectPage } from '#lib/api/object.ts';
import { brokenText, soundingFor, unknownText } from '#lib/domain/alarm/alarm-text.ts';
import { lowerFirst } from '#lib/domain/verdict/lower-first.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';

type Alarmed = Pick<WireObjectPage, 'object' | 'chain'>;

/** Who is called by the alerts that sound for it: "oncall (pagerduty)"; each once. */
export function calledBy({ chain }: Pick<Alarmed, 'chain'>): readonly string[] {
  const sounding = chain.alerts.filter(({ state }) => state === 'sounding');
  return [...new Set(sounding.flatMap(({ receivers }) => receivers))];
}

/** True if the chain is that of the alarm which stands with the object: a frame brings the alarm before the chain. */
export function chainIsOf({ object: { alarm }, chain }: Alarmed): boolean {
  return chain.alarm.state === alarm.state && chain.alarm.broken === alarm.broken;
}

/** The alarm in a sentence: who is called since when, or why nobody is, or why that is not known. `now` in ms. */
export function alarmSentence(page: Alarmed, now: number): string {
  const { alarm } = page.object;
  switch (alarm.state) {
    case 'sounding': {
      const whom = alarm.by === null || alarm.by === 'own' ? '' : ` ${soundingFor[alarm.by]}`;
      const began = parseTime(alarm.since ?? '');
      const since = began === null ? '' : ` since ${formatTime(began, now)}`;
      return `SOUNDING${whom}${[since, ...(chainIsOf(page) ? calledBy(page) : [])].join(', ')}.`;
    }
    case 'silent':
      return `Nobody is being called${alarm.broken === null ? '' : `: ${brokenText[alarm.broken]}`}.`;
    case 'pending':
      return `Nobody is called yet, and no call is due yet${alarm.broken === null ? '' : `: ${brokenText[alarm.broken]}`}.`;
    case 'not-due':
      return `No alarm is due for it now.${idleText(page)}`;
    case 'unknown':
      return `Whether anybody was called is not known${alarm.why === null ? '' : `: ${unknownText[alarm.why]}`}.`;
  }
}

/** Hindrance to a call, where none is due: a sentence after another, '' for nothing. */
function idleText({ chain: { alarm, steps } }: Alarmed): string {
  if (alarm.state === 'unknown' && alarm.why !== null && alarm.why !== 'not-seen')
    return ` Whether anybody would be called is not known: ${unknownText[alarm.why]}.`;
  const broken = steps.find(({ state }) => state === 'broken');
  if (broken === undefined || broken.link === 'condition') return '';
  return ` If it left git, nobody would be called: ${lowerFirst(brokenText[broken.link])}.`;
}
