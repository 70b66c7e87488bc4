import { wordsOf } from '#lib/api/exemption.ts';
import type { IncidentFilter, WireIncident, WireIncidentList } from '#lib/api/incident.ts';
import { historyPath, objectPath, refParams } from '#lib/api/paths.ts';
import { causeTitle } from '#lib/domain/cause/cause.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { momentText } from '#lib/format/moment.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { badCursor, type Refused } from '../http/problem.ts';
import { csvLine } from '../wire/lists/csv.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { refOnly, wireCause, wireRange } from '../wire/object/wire-object.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';
import { figuresOf } from './incident-figures.ts';
import { noneRecorded } from './none-recorded.ts';
import { pagesOf, type RecordPages } from './record-pages.ts';
import { earliestSince } from './record-since.ts';

/** Parameters of the list; `find` gives an object as known at `context.now`. */
export interface IncidentQuestion {
  readonly record: RecordReader;
  readonly filter: IncidentFilter;
  readonly scopes: readonly RecordScope[];
  readonly period: Period;
  readonly find: (ref: ObjectRef) => CurrentObject | null;
  readonly context: WireContext;
}

/** The incidents that a filter keeps, one page of them. */
export async function incidentList(question: IncidentQuestion): Promise<WireIncidentList | Refused> {
  const { record, filter, scopes, period, context } = question;
  const page = await pagesOf(pagesFor(question), filter.cursor, filter.limit);
  if (page === null) return badCursor;
  const { now } = context;
  return {
    asOf: wireTime(context.now),
    from: wireTime(period.from),
    to: wireTime(period.to),
    recordedSince: wireTimeOrNull(await earliestSince(record, scopes)),
    rows: page.items.map((incident) => wireIncident(incident, question)),
    figures: await figuresOf(record, scopes, period, context.policy.alarmWithin),
    notRecorded: page.items.length > 0 ? null : await noneRecorded({ record, filter, scopes, now }),
    nextCursor: page.next,
  };
}

const head = [
  'cluster',
  'group',
  'kind',
  'namespace',
  'name',
  'worst',
  'reason',
  'openedAt',
  'bound',
  'noticedAt',
  'closedAt',
  'ended',
  'seconds',
  'cause',
  'lastGood',
  'firstBad',
  'seenBetween',
  'everyAttemptSeen',
];

/** All incidents that a filter keeps as lines of CSV, some at a time. `seconds` is up to now where it lasts. */
export async function* incidentCsv(question: IncidentQuestion): AsyncGenerator<string> {
  yield csvLine(head);
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof pagesOf<Incident>>> = await pagesOf(pagesFor(question), cursor, 1000);
    if (page === null) return;
    yield page.items.map((incident) => csvOf(incident, question)).join('');
    cursor = page.next;
  }
}

function csvOf(incident: Incident, { context }: IncidentQuestion): string {
  const { ref, worst, reason, openedAt, bound, noticedAt, rootCause, range } = incident;
  const { closedAt, ended } = endOf(incident, context.now);
  return csvLine([
    ref.cluster,
    ref.group,
    ref.kind,
    ref.namespace,
    ref.name,
    worst,
    reason,
    wireTime(openedAt),
    bound,
    wireTime(noticedAt),
    wireTimeOrNull(closedAt),
    ended,
    Math.floor(((closedAt ?? context.now) - openedAt) / 1000),
    rootCause === null ? null : causeTitle(rootCause),
    range?.lastGood ?? null,
    range?.firstBad ?? null,
    range?.seenBetween ?? null,
    range === null ? null : String(range.watched),
  ]);
}

function pagesFor({ record, filter, scopes, period, context }: IncidentQuestion): RecordPages<Incident> {
  const wanted = new Set<string>(wordsOf(filter.verdict));
  return {
    scopes,
    read: (scope, cursor, limit) => record.incidents(scope, period, { order: filter.order, cursor, limit }),
    keeps: (incident) =>
      (wanted.size === 0 || wanted.has(incident.worst)) &&
      (filter.open === '' || (filter.open === 'true') === (endOf(incident, context.now).closedAt === null)),
  };
}

/** End of an incident as known by `now` (ms): what was closed later was not known to be then. */
function endOf({ closedAt, ended }: Incident, now: number): Pick<Incident, 'closedAt' | 'ended'> {
  return closedAt !== null && closedAt > now ? { closedAt: null, ended: null } : { closedAt, ended };
}

function wireIncident(incident: Incident, { find, context }: IncidentQuestion): WireIncident {
  const { ref, openedAt, bound, noticedAt, worst, reason, rootCause, range } = incident;
  const { closedAt, ended } = endOf(incident, context.now);
  const object = find(ref);
  return {
    ref: refOnly(ref),
    openedAt: wireTime(openedAt),
    bound,
    noticedAt: wireTime(noticedAt),
    closedAt: wireTimeOrNull(closedAt),
    ended,
    worst,
    reason,
    cause: rootCause === null ? null : wireCause(rootCause),
    range: range === null ? null : wireRange(range, object, context),
    alarm: closedAt === null && object !== null ? object.alarm.state : null,
    links: {
      self: objectPath(ref),
      history: historyPath({ ...refParams(ref), ...around(openedAt, closedAt, context) }),
    },
  };
}

/** The period of an incident with a tenth of its length on both sides, at least ten minutes; it goes on where the incident lasts. */
function around(
  openedAt: number,
  closedAt: number | null,
  { now }: WireContext,
): { readonly from: string } | { readonly from: string; readonly to: string } {
  const margin = Math.max(600_000, ((closedAt ?? now) - openedAt) / 10);
  const from = momentText(Math.floor(openedAt - margin));
  return closedAt === null || closedAt + margin >= now
    ? { from }
    : { from, to: momentText(Math.floor(closedAt + margin)) };
}
