import type { AlarmSource } from '#lib/domain/alarm/source.ts';

/** Numbers of facts of a source that are left out. */
export interface UnreadFacts {
  readonly tooLarge: number;
  /** Written by another version. */
  readonly foreign: number;
}

/** A source as followers are told of it: cut where facts of it are left out. */
export function withUnread(source: AlarmSource, { tooLarge, foreign }: UnreadFacts): AlarmSource {
  const cut = [
    ...(tooLarge === 0 ? [] : [`${factsOf(tooLarge)} larger than 4 MB and not kept.`]),
    ...(foreign === 0 ? [] : [`${factsOf(foreign)} of another version of Plumbline and not read.`]),
  ];
  return cut.length === 0 ? source : { ...source, cut: [...source.cut, ...cut] };
}

function factsOf(count: number): string {
  return count === 1 ? '1 of its facts is' : `${count} of its facts are`;
}
