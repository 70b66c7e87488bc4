import { wordsOf } from '#lib/api/params.ts';
import type { IncidentFilter, WireIncident, WireIncidentList } from '#lib/api/incident.ts';
import { causeTypes } from '#lib/api/object.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import { minute } from '#lib/domain/time/length.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { IncidentQuestion } from '#server/store/port/incident-port.ts';
import type { RecordQuestion } from '../history/ask-record.ts';
import { recordList } from '../history/record-list.ts';
import { everyPage, type RecordPages } from '../history/record-pages.ts';
import { severalGroups } from '../history/record-scope.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import { csvOf, type CsvColumns } from '../wire/lists/csv.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { calledWord, callsAtOnce, isCalledAs, withCalls } from './incident-calls.ts';
import { wireIncidentFigures } from './incident-figures.ts';
import { madePart, notWhole, readMade, type Made } from './made.ts';
import { incidentWire } from './wire-incident.ts';

/** A question for the list of incidents. */
export interface IncidentListQuestion extends RecordQuestion {
  readonly filter: IncidentFilter;
}

/**
 * The incidents that a filter keeps, one page of them, and the figures over all of its scope. While stored history is being made into
 * incidents only that part of the period is told that has been.
 */
export async function incidentList(question: IncidentListQuestion): Promise<WireIncidentList | Refused> {
  const { record, scopes, context } = question;
  const several = ofSeveralGroups(question);
  if (several !== null) return several;
  const made = await readMade(record, context.now);
  const period = madePart(question.period, made);
  const { from, to } = question.period;
  const told = { from, to: period === null ? from : Math.min(to, period.to) };
  const list = await recordList({ ...question, period: told }, pagesFor(question, period ?? told, made));
  if (isRefused(list)) return list;
  // A kind that is watched, and of which nothing ever was.
  const [scope = { clusters: [] }] = scopes;
  const figures = period === null ? null : wireIncidentFigures(await record.causeFigures(scope, period, made.at));
  return { ...list.frame, rows: list.items.map(({ wire }) => wire), figures, made: made.made };
}

/** An incident may have members of several groups: their lists and figures cannot be added up. */
function ofSeveralGroups({ filter, scopes }: IncidentListQuestion): Refused | null {
  return severalGroups(
    filter.kind,
    scopes.flatMap(({ kind }) => kind?.group ?? []),
  );
}

/** All incidents that a filter keeps as lines of CSV, some at a time; refused while stored history is being made into incidents. */
export async function incidentCsv(question: IncidentListQuestion): Promise<AsyncGenerator<string> | Refused> {
  const { record, period, context } = question;
  const made = await readMade(record, context.now);
  const refused = ofSeveralGroups(question) ?? notWhole(made);
  if (refused !== null) return refused;
  return csvOf(columnsAt(context.now), everyPage(pagesFor(question, madePart(period, made) ?? period, made), 1000));
}

/** An incident of a list, and as it is on the wire. */
type Listed = Incident & { readonly wire: WireIncident };

function pagesFor(
  question: IncidentListQuestion,
  period: IncidentQuestion['period'],
  { at }: Made,
): RecordPages<Listed> {
  const { record, scopes, filter } = question;
  const wire = incidentWire(question);
  const { order, open, objects, minutes } = filter;
  const wanted = namedIn(filter.verdict, verdicts);
  const causes = namedIn(filter.cause, causeTypes);
  const asked: Omit<IncidentQuestion, 'scope'> = {
    ...{ period, at, order, objects, lasted: minutes * minute },
    ...(wanted === null ? {} : { verdicts: wanted }),
    ...(causes === null ? {} : { causes }),
    ...(open === '' ? {} : { open: open === 'true' }),
  };
  return {
    scopes,
    async read(scope, cursor, limit) {
      const { items, next } = await record.incidents({ ...asked, scope }, { cursor, limit });
      const listed: Listed[] = [];
      // Others are answered while the calls of the next ones are read.
      for (let from = 0; from < items.length; from += callsAtOnce) {
        const called = await withCalls(record, items.slice(from, from + callsAtOnce), at);
        for (const one of called) listed.push({ ...one.incident, wire: wire(one, at) });
      }
      return { items: listed, next };
    },
    keeps: (listed) => isCalledAs(listed.wire.calls, filter.called),
  };
}

/** Those of some names that a list with commas names; null where it names none. */
function namedIn<Name extends string>(text: string, names: readonly Name[]): readonly Name[] | null {
  const words: ReadonlySet<string> = new Set(wordsOf(text));
  return words.size === 0 ? null : names.filter((name) => words.has(name));
}

/** The columns of an incident as known at `now` (ms). `seconds` is up to then where it lasts. */
function columnsAt(now: number): CsvColumns<Listed> {
  return {
    id: ({ id }) => id,
    title: ({ wire }) => wire.title,
    cause: ({ cause }) => cause.type,
    takenFor: ({ wire }) => wire.takenFor.map(({ title }) => title).join('; '),
    worst: ({ worst }) => worst,
    reason: ({ reason }) => reason,
    openedAt: ({ openedAt }) => wireTime(openedAt),
    bound: ({ bound }) => bound,
    noticedAt: ({ noticedAt }) => wireTime(noticedAt),
    closedAt: ({ closedAt }) => wireTimeOrNull(closedAt),
    ended: ({ ended }) => ended,
    seconds: ({ openedAt, closedAt }) => Math.floor(((closedAt ?? now) - openedAt) / 1000),
    objectsNow: ({ wire }) => wire.now.objects,
    clustersNow: ({ wire }) => wire.now.clusters,
    mostObjects: ({ most }) => most.objects,
    mostClusters: ({ most }) => most.clusters,
    environments: ({ wire }) => wire.most.environments,
    members: ({ members }) => members,
    returns: ({ returns }) => returns,
    objectSeconds: ({ objectTime }) => Math.floor(objectTime / 1000),
    lastGood: ({ range }) => range?.lastGood ?? null,
    firstBad: ({ range }) => range?.firstBad ?? null,
    seenBetween: ({ range }) => range?.seenBetween ?? null,
    everyAttemptSeen: ({ range }) => (range === null ? null : String(range.watched)),
    planned: ({ wire }) => String(wire.planned),
    called: ({ wire }) => calledWord(wire.calls),
    calledAt: ({ wire }) => wire.calls?.first?.at ?? null,
    secondsToCall: ({ wire }) => secondsOrNull(wire.calls?.first?.afterMs),
    toCallBound: ({ wire }) => wire.calls?.first?.bound ?? null,
    alert: ({ wire }) => wire.calls?.first?.alert ?? null,
    receivers: ({ wire }) => wire.calls?.first?.receivers.join('; ') ?? null,
    calls: ({ wire }) => wire.calls?.count ?? null,
    secondsSilent: ({ wire }) => secondsOrNull(wire.calls?.silentMs),
    secondsNotKnown: ({ wire }) => secondsOrNull(wire.calls?.unknownMs),
    clusters: ({ clusters }) => clusters.join(' '),
  };
}

function secondsOrNull(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1000);
}
