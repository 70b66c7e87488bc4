import { alarmLabel } from '#lib/format/verdict-label.ts';
import type { AlarmState } from '#lib/domain/record/current.ts';

/** Tells if anybody was called, in words; loud where nobody was. */
export function AlarmText({ state }: Pick<AlarmState, 'state'>) {
  if (alarmLabel[state] === '') return null;
  return <span className={state === 'silent' ? 'font-semibold text-diverged' : 'text-ink'}>{alarmLabel[state]}</span>;
}
