import { type ForeignObject, textAt } from '#lib/foreign.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { conditionOf } from '../../harness/witness.ts';
import { type Look, noteOf, type Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';

/** How far an onset may lie from the truth (ms). */
const tolerance = 5_000;

/** A moment (ms since the epoch) that an onset is measured against; null while it has not come. */
export interface Moment {
  readonly words: string;
  at(stage: Stage, since: number, subject: Subject): number | null;
}

/** The first write of the object after the act that fits, as the witness saw it. */
export function writeThat(words: string, fits: (object: ForeignObject) => boolean): Moment {
  return {
    words: `the first write that ${words}`,
    at: (stage, since, subject) => stage.witness.first(subject, since, fits)?.at ?? null,
  };
}

/** The first write of the object after the act with this condition, e.g. ('Ready', 'False BuildFailed'). */
export function condition(type: string, words: string): Moment {
  return writeThat(`says ${type}=${words}`, (object) => conditionOf(object, type).startsWith(words));
}

/** The first write after the act, whatever it says. */
export const firstWrite: Moment = {
  words: 'the first write',
  at: (stage, since, subject) => stage.witness.first(subject, since, () => true)?.at ?? null,
};

/** The first write of another object after the act: what it stands on. */
export function writeOf(other: Subject): Moment {
  return {
    words: `the first write of ${other.kind} ${other.name}`,
    at: (stage, since) => stage.witness.first(other, since, () => true)?.at ?? null,
  };
}

/** So long (ms) after the first write of a source that offers a noted commit. */
export function offeredFor(source: Subject, commit: string, after: number): Moment {
  return {
    words: `${after / 1000} s after ${source.kind} ${source.name} offers "${commit}"`,
    at(stage) {
      const offers = (object: ForeignObject): boolean =>
        (textAt(object, 'status', 'artifact', 'revision') ?? '').endsWith(noteOf(stage, commit));
      const offered = stage.witness.first(source, 0, offers);
      return offered === null ? null : offered.at + after;
    },
  };
}

/** So long (ms) after the first write since a noted time in which another object is not Ready. */
export function failedFor(other: Subject, note: string, after: number): Moment {
  return {
    words: `${after / 1000} s after the first write of ${other.kind} ${other.name} that says Ready=False`,
    at(stage) {
      const failing = stage.witness.first(other, Number(noteOf(stage, note)), (object) =>
        conditionOf(object, 'Ready').startsWith('False'),
      );
      return failing === null ? null : failing.at + after;
    },
  };
}

/** A time (ms since the epoch) that was noted, and so much after it (ms). */
export function noted(name: string, after = 0): Moment {
  return {
    words: after === 0 ? `"${name}"` : `${after / 1000} s after "${name}"`,
    at: (stage) => Number(noteOf(stage, name)) + after,
  };
}

/** The present verdict's onset is exact and lies within 5 s of the moment. */
export function began(subject: Subject, moment: Moment): Look {
  const title = `${titleOf(subject)}: began`;
  return {
    expects: `${title} within 5 s of ${moment.words}`,
    async find(stage, since) {
      const object = await stage.plumbline.object(subject);
      if (object === null) return { fits: false, got: `${title}: the API knows no such object` };
      const truth = moment.at(stage, since, subject);
      if (truth === null) return { fits: false, got: `${title}: the witness did not see ${moment.words}` };
      const off = Date.parse(object.onset.time) - truth;
      const bound = object.onset.bound === 'exact' ? '' : `, ${object.onset.bound}`;
      return {
        fits: object.onset.bound === 'exact' && Math.abs(off) <= tolerance,
        got: `${title} ${off} ms from ${moment.words}${bound}`,
      };
    },
  };
}
