import { createHash } from 'node:crypto';
import type { Period } from '#lib/domain/record/span.ts';
import { cutAtBlocks } from '../../../../codec/rollup-block.ts';
import { keptSums } from '../../record/kept/kept-sums.ts';
import type { RecordScope } from '../../../../port/record-port.ts';
import type { ScopeIds, Scopes } from '../../record/record-scope.ts';
import type { Steps } from '../../steps/steps.ts';
import type { Look, LookAsked, LookParts, Looks } from '../call-look.ts';
import type { CallSums, WellCall } from '../call-sums.ts';
import type { CallsTold, MeantCalls } from '../meant-calls.ts';

/** Figures of a look, with the number of calls without an absence. */
export interface Figures extends LookParts {
  readonly withoutAbsence: number;
}

/** A question about a whole period. */
export type FiguresAsked = Omit<LookAsked, 'time' | 'ended'>;

/** All that is the same of all blocks. */
interface Known {
  readonly told: (within: Period) => CallsTold;
  readonly objects: string;
  readonly scopeKey: string;
}

/** Memory that is used at most for what settled blocks come to: those of 90 days with 20,000 calls take 200 KB. */
const keptBytes = 8 * 2 ** 20;
/** For calls without an absence: 20,000 take 2 MB. */
const wellBytes = 4 * 2 ** 20;
/** For one number of each block. */
const numberBytes = 2 * 2 ** 20;
const number = { of: 'days', bytes: numberBytes, bytesOf: () => 8 } as const;

/**
 * Figures of absences and calls that were over before a moment up to which all is rolled up, block by block: each absence and call counts in the block
 * in which it ended, overdue time in its own. What a block comes to is kept by the days from the beginning of the first of its absences on, and by what
 * was told of calls in that time: a new day, a late call or a late reading makes only those blocks anew that it reaches. Of calls without an absence it is
 * asked each time whether one was noticed since.
 */
export function openSettledFigures(
  scopes: Scopes,
  { calls, sums }: { readonly calls: MeantCalls; readonly sums: CallSums },
) {
  const begins = keptSums<number>(scopes, number);
  const parts = keptSums<LookParts>(scopes, {
    of: 'days',
    bytes: keptBytes,
    bytesOf: ({ toCall }) => 100 + toCall.byteLength,
  });
  const without = keptSums<readonly WellCall[]>(scopes, {
    of: 'days',
    bytes: wellBytes,
    bytesOf: (calls) => calls.reduce((sum, { objects }) => sum + 100 + 8 * objects.length, 8),
  });

  function* ofBlock({ look, begun }: Looks, question: LookAsked, { told, scopeKey, objects }: Known): Steps<Figures> {
    const { period, time, alarmWithin, ended } = question;
    const asked = `${scopeKey} ${ended.from}`;
    const first = Math.min(
      begins.recall(time, asked, () => begun(question)),
      time.from,
    );
    yield;
    const its = told({ from: first - 1, to: time.to });
    // What began before the period is cut where that begins.
    const cut = (from: number): number | null => (from < period.from ? period.from : null);
    const reach = { from: first, to: time.to };
    let taken: Look | null = null;
    const begin = (): Look => (taken ??= look(question, first));
    const key = JSON.stringify([asked, alarmWithin, time.from, cut(first), its.print]);
    const found = yield* parts.recallInSteps(reach, key, () => begin().parts());
    const from = Math.min(first, its.from);
    yield;
    if (!question.well) return { ...found, withoutAbsence: 0 };
    // An object that comes later may have the name that a call gives.
    const named = JSON.stringify([asked, time.from, cut(from), its.print, objects]);
    const well = without.recall({ from, to: time.to }, named, () => begin().wellCalls());
    return { ...found, withoutAbsence: sums.stillWell(well) };
  }

  /** Begins a question: gives the figures of a part of its period, of all of its scope or of some clusters. */
  return (looks: Looks, question: FiguresAsked, to: number) => {
    let known: Pick<Known, 'told' | 'objects'> | null = null;

    return function* (part: Period, clusters: readonly number[] | null): Steps<readonly Figures[]> {
      if (part.from >= part.to) return [];
      const its = { ...question, ...(clusters === null ? {} : scopeOf(scopes, question, clusters)) };
      const scopeKey = createHash('sha256').update(JSON.stringify(its.asked)).digest('base64url');
      known ??= { told: calls.toldBefore(to, question.left), objects: calls.printOfObjects() };
      const all = { ...known, scopeKey };
      const found: Figures[] = [];
      for (const time of cutAtBlocks(part)) {
        const ended = { from: time.from === question.period.from ? -Infinity : time.from, to: time.to };
        found.push(yield* ofBlock(looks, { ...its, time, ended }, all));
        yield;
      }
      return found;
    };
  };
}

/** The scope of a question, of some of its clusters alone. */
export function scopeOf<S extends ScopeIds | null>(
  scopes: Scopes,
  { asked, scope }: { readonly asked: RecordScope; readonly scope: S },
  clusters: readonly number[],
): { readonly asked: RecordScope; readonly scope: S } {
  return {
    asked: { ...asked, clusters: clusters.map((id) => scopes.clusterName(id)) },
    scope: scope === null ? scope : { ...scope, clusters },
  };
}
