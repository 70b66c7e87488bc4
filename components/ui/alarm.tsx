import { brokenText } from '#lib/domain/alarm/alarm-text.ts';
import type { AlarmLink, AlarmState } from '#lib/domain/alarm/link.ts';
import { alarmMarks } from '#lib/draw/glyphs.ts';
import type { WireBrokenLink } from '#lib/api/fleet.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { alarmLabel } from '#lib/format/verdict-label.ts';

/** The mark beside a commit: filled bell called, outlined bell pending, "?" not known; nothing where none is due or nobody is being called. */
export function AlarmMark({ state }: Pick<AlarmState, 'state'>) {
  const parts = alarmMarks[state];
  if (parts.length === 0) return null;
  return (
    <svg className="bell" width={9} height={10} viewBox="0 0 9 10" aria-hidden="true">
      {parts.map((part) => (
        <path key={`${part.d}${part.outline}`} d={part.d} className={part.outline ? 'drawn' : undefined} />
      ))}
    </svg>
  );
}

interface AlarmTextProps extends Pick<AlarmState, 'state'> {
  /** The first broken link, where that is known. */
  readonly broken?: AlarmLink | null;
}

/** Tells if anybody was called, in words; loud where nobody was. */
export function AlarmText({ state, broken = null }: AlarmTextProps) {
  if (alarmLabel[state] === '') return null;
  const why = state === 'silent' && broken !== null ? brokenText[broken] : undefined;
  return (
    <span className={state === 'silent' ? 'font-semibold text-diverged' : 'text-ink'} title={why}>
      {alarmLabel[state]}
      {why !== undefined && <span className="sr-only">: {why}</span>}
    </span>
  );
}

/** Why nobody is being called for the objects of a cause: "no rule reads it (12 of 14 objects)"; without a number where it is one. */
export function brokenWords({ link, objects, silent }: WireBrokenLink): string {
  if (silent === 1) return brokenText[link];
  const of = objects === silent ? countOf(silent, 'object') : `${formatCount(objects)} of ${countOf(silent, 'object')}`;
  return `${brokenText[link]} (${of})`;
}
