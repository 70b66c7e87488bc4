import { callBook } from '#lib/domain/alarm/called/call-book.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordScope } from '../../../port/record-port.ts';
import { firstWhole } from '../../rows/cells.ts';
import { absencesLasting } from '../record/absence-reader.ts';
import { openFaultReader } from '../record/incident/fault-reader.ts';
import type { GapReader } from '../record/record-gaps.ts';
import { ofClusters, type ScopeIds, type Scopes } from '../record/record-scope.ts';
import { noParts, openAbsenceParts, type AbsenceParts } from './absence-parts.ts';
import type { Steps } from '../steps/steps.ts';
import type { AbsenceRow } from './absence-times.ts';
import type { CallSums, WellCall } from './call-sums.ts';
import { openConcernedAbsences } from './concerned-absences.ts';
import { endsOf, lasts, type LateAbsences } from './late-absences.ts';
import type { LeftOutCalls } from './left-out-calls.ts';
import type { MeantCalls } from './meant-calls.ts';
import { openNamedObjects, type NamedObjects } from './named-objects.ts';
import type { OverdueReaders } from './unknown-overdue.ts';

/** Readers that one look needs. */
interface LookReaders extends OverdueReaders {
  readonly gaps: GapReader;
}

/** A part of a question: of the absences and calls that ended in a time, and of the overdue time in another. */
export interface LookAsked {
  readonly asked: RecordScope;
  /** null where the store has no word for a part of the scope. */
  readonly scope: ScopeIds | null;
  readonly period: Period;
  readonly alarmWithin: number;
  /** Part of the period, in which overdue time is counted; nothing is known of what comes after. */
  readonly time: Period;
  /** Those that last end at Infinity. */
  readonly ended: Period;
  /** Sources whose calls are not read in all of the question. */
  readonly left: LeftOutCalls;
  /** False where calls without an absence are not asked for. */
  readonly well: boolean;
}

/** Figures that a look gives. Of all overdue time, what is not called and not unknown is silent. */
export type LookParts = Omit<AbsenceParts, 'silent'>;

/** A look at a part of a question. */
export type Look = ReturnType<Looks['look']>;

type ConcernedBy = ReturnType<ReturnType<typeof openConcernedAbsences>>;

/** Looks at calls and absences, within one question. */
export type Looks = ReturnType<ReturnType<typeof openLook>>;

/** Prepares looks at calls and absences over an open database. */
export function openLook(
  scopes: Scopes,
  readers: LookReaders,
  from: { readonly calls: MeantCalls; readonly sums: CallSums; readonly late: LateAbsences },
) {
  const { calls, sums, late } = from;
  const faults = openFaultReader(scopes);
  const namedObjects = openNamedObjects(scopes);
  const concernedAbsences = openConcernedAbsences(scopes, faults);
  const partsOf = openAbsenceParts(scopes, readers, faults, late);

  /** When the first of the absences began that were known in a period; its end where there are none. */
  function begun({ scope, period: { from: start, to }, ended }: Pick<LookAsked, 'scope' | 'period' | 'ended'>): number {
    if (scope === null) return to;
    const during = { from: Math.max(start, ended.from) - 1, to: Math.min(to, ended.to) };
    const absences = absencesLasting(scopes, scope, during, { columns: 'object, cluster, opened_at, closed_at' });
    const statement = scopes.statement(
      `SELECT MIN(i.opened_at) FROM ${absences.from}
       WHERE COALESCE(i.closed_at, ${lasts}) >= ?3 AND COALESCE(i.closed_at, ${lasts}) < ?4 AND ${absences.sql}`,
    );
    const times = [during.from, during.to, ...endsOf(ended)];
    return firstWhole(statement, ...times, ...absences.parameters) ?? to;
  }

  /** Begins a look; `first` is when the first of its absences began. */
  const lookWith = (objectsOf: NamedObjects, concernedBy: ConcernedBy) => (question: LookAsked, first: number) => {
    const { asked, scope, period, alarmWithin, time, ended, left, well } = question;
    // A call that ended as the time begins is one of it.
    const looked = { from: Math.min(first, time.from - 1), to: time.to };
    const within = calls.within(looked, left);
    const gapsOf = readers.gaps.within(scope ?? { clusters: null }, looked);
    let concerned: readonly AbsenceRow[] = [];
    return {
      *parts(): Steps<LookParts> {
        if (scope === null) return noParts;
        const book = callBook(within, calls.times(looked, left));
        concerned = [...concernedBy({ scope, period, ended, first }, book).values()];
        yield;
        const { sql, parameters } = ofClusters(scope, 'id');
        const clusters = scopes.ids(`SELECT id FROM cluster WHERE ${sql}`, parameters);
        const unknown = new Map(clusters.map((id) => [id, book.unknownOn(scopes.clusterName(id))]));
        yield;
        // Of those that ended at any time the first is known: nothing was overdue before.
        const since = {
          from: ended.from < time.from && ended.to > time.to ? Math.max(time.from, first) : time.from,
          to: time.to,
        };
        return yield* partsOf({ scope, period, since, alarmWithin, ended, book, unknown }, concerned, gapsOf);
      },
      /** The calls that ended then and name objects which were seen and never away meanwhile. */
      wellCalls(): readonly WellCall[] {
        if (!well) return [];
        const its = within.filter(({ began, ended: at }) => began >= period.from && at >= ended.from && at < ended.to);
        const from = its.reduce((earliest, { began }) => Math.min(earliest, began), looked.from);
        const seen =
          from < looked.from ? readers.gaps.within(scope ?? { clusters: null }, { from, to: time.to }) : gapsOf;
        return sums.wellCalls(asked, period, { calls: its, concerned, gapsOf: seen, objectsOf });
      },
    };
  };

  /** Begins a question, of a database that stands still. */
  return () => {
    const objectsOf = namedObjects();
    return { look: lookWith(objectsOf, concernedAbsences(objectsOf)), begun };
  };
}

/** Figures of looks together. */
export function addLooks(looks: readonly LookParts[]): LookParts {
  const sum = (of: (one: LookParts) => number): number => looks.reduce((all, one) => all + of(one), 0);
  const toCall = new Float64Array(sum((one) => one.toCall.length));
  let place = 0;
  for (const one of looks) {
    toCall.set(one.toCall, place);
    place += one.toCall.length;
  }
  return {
    called: sum((one) => one.called),
    unknown: sum((one) => one.unknown),
    overdue: {
      inTime: sum(({ overdue }) => overdue.inTime),
      late: sum(({ overdue }) => overdue.late),
      never: sum(({ overdue }) => overdue.never),
      unknown: sum(({ overdue }) => overdue.unknown),
    },
    toCall: toCall.sort(),
    toCallAtMost: sum((one) => one.toCallAtMost),
  };
}
