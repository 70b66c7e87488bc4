import type { WireObject, WireOnset } from '#lib/api/object.ts';
import { type ForeignObject, listAt, textAt, timeAt } from '#lib/foreign.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { conditionOf } from '../../harness/witness.ts';
import { type Check, noteOf, type Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';

/** Distance that an onset may have from the truth (ms). */
const exact = 5_000;
/** Where the truth is in a lease, which is looked at every 15 s. */
export const betweenProbes = 20_000;

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

/** The first write of another object after the act: what it depends on. */
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

/** The first write since a noted time that says Ready=False, of the object itself. */
export function failedSince(note: string): Moment {
  return {
    words: `the first write after "${note}" that says Ready=False`,
    at(stage, _since, subject) {
      const isFailing = (object: ForeignObject): boolean => conditionOf(object, 'Ready').startsWith('False');
      return stage.witness.first(subject, Number(noteOf(stage, note)), isFailing)?.at ?? null;
    },
  };
}

/** A lease of flux-system has run out: its duration and 15 s after it was renewed last (docs/design/heartbeats.md). */
export function leaseOut(cluster: string, name: string, durationSeconds: number): Moment {
  const term = durationSeconds + 15;
  return {
    words: `${term} s after the last renewal of lease ${name}`,
    at(stage) {
      const lease = stage.witness.last({ cluster, kind: 'Lease', namespace: 'flux-system', name });
      const renewed = timeAt(lease?.object, 'spec', 'renewTime');
      return renewed === null ? null : renewed + term * 1000;
    },
  };
}

/** So long (ms) after the last pass of a Kustomization, by its own history (whole seconds). */
export function lastPass(after: number): Moment {
  return {
    words: `${after / 1000} s after its last pass`,
    at(stage, _since, subject) {
      const [newest] = listAt(stage.witness.last(subject)?.object, 'status', 'history');
      const last = timeAt(newest, 'lastReconciled');
      return last === null ? null : last + after;
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

/** The same moment as a clock tells it that is off by so much (ms). */
export function onClockOff(off: number, moment: Moment): Moment {
  return {
    words: `${moment.words}, by a clock that is off by ${off / 1000} s`,
    at(stage, since, subject) {
      const truth = moment.at(stage, since, subject);
      return truth === null ? null : truth + off;
    },
  };
}

/** The present verdict began before Plumbline came ("at least"), and no earlier than a time that was noted. */
export function beganUnseen(subject: Subject, note: string): Check {
  const title = `${titleOf(subject)}: began`;
  return {
    expects: `${title} at least since a time after "${note}", before Plumbline came`,
    async find(stage) {
      const object = await stage.plumbline.object(subject);
      if (object === null) return { fits: false, got: `${title}: the API knows no such object` };
      const { time, bound, noticedAt } = object.onset;
      const from = new Date(Number(noteOf(stage, note)) - exact).toISOString();
      return { fits: bound === 'at-least' && time >= from && time <= noticedAt, got: `${title} ${time}, ${bound}` };
    },
  };
}

/** The present verdict's onset is exact and lies within 5 s (or `tolerance`, ms) of the moment. */
export function began(subject: Subject, moment: Moment, tolerance = exact): Check {
  return onClock(subject, 'began', (object) => object.onset, moment, tolerance);
}

/** It is away, exactly since within 5 s of the moment. */
export function left(subject: Subject, moment: Moment): Check {
  return onClock(subject, 'left git', (object) => object.awaySince, moment, exact);
}

function onClock(
  subject: Subject,
  word: string,
  clock: (object: WireObject) => WireOnset | null,
  moment: Moment,
  tolerance: number,
): Check {
  const title = `${titleOf(subject)}: ${word}`;
  return {
    expects: `${title} within ${tolerance / 1000} s of ${moment.words}`,
    async find(stage, since) {
      const object = await stage.plumbline.object(subject);
      if (object === null) return { fits: false, got: `${title}: the API knows no such object` };
      const onset = clock(object);
      const truth = moment.at(stage, since, subject);
      if (onset === null) return { fits: false, got: `${title}: not at all` };
      if (truth === null) return { fits: false, got: `${title}: the witness did not see ${moment.words}` };
      const off = Date.parse(onset.time) - truth;
      const bound = onset.bound === 'exact' ? '' : `, ${onset.bound}`;
      return {
        fits: onset.bound === 'exact' && Math.abs(off) <= tolerance,
        got: `${title} ${off} ms from ${moment.words}${bound}`,
      };
    },
  };
}
