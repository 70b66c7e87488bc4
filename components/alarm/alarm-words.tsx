import { alarmWord } from '#lib/format/verdict-word.ts';
import type { AlarmState } from '#lib/draw/glyphs.ts';

/** Whether anybody was called, in words; loud where nobody was. */
export function AlarmWords({ state }: { readonly state: AlarmState }) {
  if (alarmWord[state] === '') return null;
  return <span className={state === 'silent' ? 'font-semibold text-diverged' : 'text-ink'}>{alarmWord[state]}</span>;
}
