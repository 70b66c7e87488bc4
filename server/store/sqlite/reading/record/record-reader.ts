import type { DatabaseSync } from 'node:sqlite';
import type { Period } from '#lib/domain/record/span.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { RecordReader, RecordScope } from '../../../port/record-port.ts';
import { emptyTally, figuresOf } from '../../../record/absences.ts';
import { causeFiguresOf, emptyCauses } from '../../../record/incident/cause-tally.ts';
import { noWallClock } from '../../../record/wall-clock.ts';
import { bytesOfPieces, sharePieces, type AwayPieces } from './shared-pieces.ts';
import { openAbsencesCalled } from '../alarms/absences-called.ts';
import { openCallBooks } from '../alarms/call-books.ts';
import { openAlarmFigures } from '../alarms/record-alarm-figures.ts';
import { openRecordCalls } from '../alarms/record-calls.ts';
import { openIncidentCalls } from '../alarms/record-incident-calls.ts';
import { openHasObject, openObjectCount } from '../object-count.ts';
import { openScopePieces } from '../steps/scope-pieces.ts';
import { atOnce as stepsAtOnce, inTurns, oneStep, type Steps } from '../steps/steps.ts';
import { noPage } from './page-cursor.ts';
import { recentReadings } from './recent-readings.ts';
import { keptSums } from './kept/kept-sums.ts';
import { openRecordGaps } from './record-gaps.ts';
import { firstSpan } from './first-span.ts';
import { openAbsenceReader } from './absence-reader.ts';
import { openRecordIncidents } from './incident/record-incidents.ts';
import { nobody, openRecordAbsences } from './record-absences.ts';
import { openRecordLedger } from './record-ledger.ts';
import { openPieces } from './record-pieces.ts';
import { openRollupReader } from './record-rollups.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';
import { openRecordShares, openWorst } from './record-shares.ts';
import type { Tally } from './share-tally.ts';
import { openRecordSpans } from './record-spans.ts';
import { openRecordState } from './record-state.ts';
import { openRecordSuspensions } from './record-suspensions.ts';
import { openStood } from '../snapshots.ts';
import { openWallClock } from './record-wall-clock.ts';
import { openRecordTransitions } from './record-transitions.ts';

/** Of each sort: a report is about two periods at once, each may begin and end within a day, and be asked for of a part too. */
const readingsKept = 8;

/** Memory that is used at most for pieces of days that are rolled up: a day with 100,000 of them takes 4 MB. */
const piecesBytes = 16 * 2 ** 20;

/** Settings for questions that are answered in steps. */
export interface InSteps {
  /** Waits between two of them; absent: all follow at once. Then nothing else may be asked meanwhile. */
  readonly turn?: () => Promise<void>;
  /** Objects of the first piece of a scope that is read in pieces. */
  readonly firstPiece?: number;
}

/** The record over a database that is open for reading. Each question sees one moment of it. */
export function openRecordReader(
  database: DatabaseSync,
  scopes: Scopes,
  clock: Clock,
  { turn, firstPiece }: InSteps = {},
): RecordReader {
  const eachPiece = openScopePieces(scopes, clock, firstPiece);
  const gaps = openRecordGaps(scopes);
  const rollups = openRollupReader(scopes);
  const stood = openStood(scopes, rollups);
  const pieces = sharePieces(openPieces(scopes, gaps, stood), {
    recent: recentReadings<AwayPieces | null>(scopes, clock, readingsKept),
    kept: keptSums<AwayPieces | null>(scopes, { of: 'days', bytes: piecesBytes, bytesOf: bytesOfPieces }),
    isRolled: rollups.isRolled,
    firstSpan: (scope) => firstSpan(scopes, scope),
  });
  const absences = openAbsenceReader(scopes, pieces);
  const recent = recentReadings<Tally>(scopes, clock, readingsKept);
  const shares = openRecordShares(scopes, pieces, rollups, recent, eachPiece);
  const spans = openRecordSpans(scopes);
  const ledger = openRecordLedger(scopes, gaps);
  const figures = openRecordAbsences(scopes, absences, rollups, eachPiece);
  const transitions = openRecordTransitions(scopes);
  const incidents = openRecordIncidents(scopes);
  const calls = openRecordCalls(scopes);
  const books = openCallBooks(scopes);
  const incidentCalls = openIncidentCalls(scopes, books);

  const { atOnce, about, within, stepwise } = questionsOf(database, scopes, turn);
  const arrivals = within({ list: [], partly: [] }, ledger.arrivals);
  const arrivalTimes = within({ took: new Float64Array(0), unknown: 0, of: 0, partly: [] }, ledger.arrivalTimes);
  return {
    since: atOnce(gaps.since),
    gaps: atOnce(gaps.gaps),
    spans: atOnce(spans.spans),
    spansIn: within(noPage, spans.spansIn),
    earlier: atOnce(ledger.earlier),
    absences: within(noPage, figures.absences),
    absenceFigures: stepwise.about(figuresOf(emptyTally(), nobody, nobody), figures.absenceFigures),
    incidents: atOnce(incidents.incidents),
    incidentCount: atOnce(incidents.incidentCount),
    incident: atOnce(incidents.incident),
    members: atOnce(incidents.members),
    membersOfMany: atOnce(incidents.membersOfMany),
    incidentSteps: atOnce(incidents.incidentSteps),
    membershipsOf: atOnce(incidents.membershipsOf),
    causeFigures: about(causeFiguresOf(emptyCauses()), incidents.causeFigures),
    incidentNews: atOnce(incidents.incidentNews),
    incidentsUpTo: atOnce(incidents.incidentsUpTo),
    calls: atOnce(calls.calls),
    callsOf: atOnce(calls.callsOf),
    alarmFigures: stepwise.question(
      openAlarmFigures(scopes, { gaps, absences, pieces, rollups, overdueIn: figures.overdueIn }),
    ),
    absencesCalled: within(noPage, openAbsencesCalled(scopes, books)),
    callsOfIncident: atOnce(incidentCalls.callsOfIncident),
    incidentCalls: atOnce(incidentCalls.incidentCalls),
    alarmCoverage: atOnce(calls.alarmCoverage),
    corrections: within(noPage, ledger.corrections),
    correctionDays: within([], ledger.correctionDays),
    shares: stepwise.within([], shares.shares),
    objectCount: within(0, openObjectCount(scopes, rollups, stood)),
    hasObject: within(false, openHasObject(scopes)),
    wallClock: stepwise.within(noWallClock, openWallClock(scopes, gaps, pieces, rollups, eachPiece)),
    worst: stepwise.within([], openWorst(scopes, shares)),
    suspensions: within([], openRecordSuspensions(scopes)),
    changeCounts: within([], ledger.changeCounts),
    // A commit arrives on a cluster, whatever of it is asked for.
    arrivals: (scope, ...asked) => arrivals(ofWhole(scope), ...asked),
    arrivalTimes: (scope, ...asked) => arrivalTimes(ofWhole(scope), ...asked),
    transitions: within(noPage, transitions.transitions),
    transitionCount: within(0, transitions.transitionCount),
    changesBeside: atOnce(transitions.changesBeside),
    stateAt: atOnce(openRecordState(scopes, absences, rollups)),
  };
}

/** A scope without what it asks for on its clusters. */
function ofWhole({ clusters, within }: RecordScope): RecordScope {
  return { clusters, ...(within === undefined ? {} : { within }) };
}

/** Makes questions of what reads: each sees one moment of the database. */
function questionsOf(database: DatabaseSync, scopes: Scopes, turn: InSteps['turn']) {
  function atOnce<A extends readonly unknown[], T>(question: (...asked: A) => T): (...asked: A) => Promise<T> {
    return async (...asked) => {
      database.exec('BEGIN');
      try {
        return question(...asked);
      } finally {
        database.exec('COMMIT');
      }
    };
  }

  /** A question that is answered in steps: all of them see the same moment. */
  function inSteps<A extends readonly unknown[], T>(question: (...asked: A) => Steps<T>): (...asked: A) => Promise<T> {
    if (turn === undefined) return atOnce((...asked: A) => stepsAtOnce(question(...asked)));
    return async (...asked) => {
      database.exec('BEGIN');
      try {
        return await inTurns(question(...asked), turn);
      } finally {
        database.exec('COMMIT');
      }
    };
  }

  return {
    atOnce,
    about: <A extends readonly unknown[], T>(nothing: T, question: Question<A, T>) =>
      atOnce(aboutScope(scopes, () => nothing, question)),
    within: <A extends readonly unknown[], T>(nothing: T, question: PeriodQuestion<A, T>) =>
      atOnce(
        aboutScope(
          scopes,
          () => nothing,
          inPeriod(() => nothing, question),
        ),
      ),
    /** The same of questions that are answered in steps. */
    stepwise: {
      question: inSteps,
      about: <A extends readonly unknown[], T>(nothing: T, question: Question<A, Steps<T>>) =>
        inSteps(aboutScope(scopes, () => oneStep(() => nothing), question)),
      within<A extends readonly unknown[], T>(nothing: T, question: PeriodQuestion<A, Steps<T>>) {
        const none = (): Steps<T> => oneStep(() => nothing);
        return inSteps(aboutScope(scopes, none, inPeriod(none, question)));
      },
    },
  };
}

type Question<A extends readonly unknown[], T> = (scope: ScopeIds, ...asked: A) => T;
type PeriodQuestion<A extends readonly unknown[], T> = (scope: ScopeIds, period: Period, ...asked: A) => T;

/** A question about a scope; `nothing` where the store has no word for a part of it. */
function aboutScope<A extends readonly unknown[], T>(scopes: Scopes, nothing: () => T, question: Question<A, T>) {
  return (scope: RecordScope, ...asked: A): T => {
    const ids = scopes.resolve(scope);
    return ids === null ? nothing() : question(ids, ...asked);
  };
}

/** The same of a period; `nothing` where that is empty. */
function inPeriod<A extends readonly unknown[], T>(nothing: () => T, question: PeriodQuestion<A, T>) {
  return (scope: ScopeIds, period: Period, ...asked: A): T =>
    period.from < period.to ? question(scope, period, ...asked) : nothing();
}
