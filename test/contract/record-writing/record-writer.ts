import { refKey, sameRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { changeKey, type NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentObject, Transition } from '#lib/domain/record/current.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import type { CoverageChange, WriteBatch } from '#server/store/port/port.ts';
import { kindText } from '#server/store/record/lists.ts';
import type { Recorded } from '#server/store/record/recorded.ts';
import { arrivalWriter } from './arrivals.ts';
import { endCalls, putAlarmCoverage, putCall } from './calls.ts';
import { addOnce, emptyRecord, type Growing } from './growing.ts';
import { countOn, startIncidents } from './incidents.ts';
import { addRecord, endAbsence, setAbsencesBack } from './absences.ts';
import { addTransition, endTransitions, setTransitionsBack } from './transitions.ts';

/** Writes a record, in memory. */
export interface RecordWriter {
  /** Grows with what is written. */
  readonly recorded: Recorded;
  /** Takes a batch of a cluster. One that is written twice counts once. */
  write(cluster: string, batch: WriteBatch): void;
  /** The cluster is configured no longer: the spans and absences of `most` of its objects, absent all, end at `at` (ms). */
  forget(cluster: string, at: number, most?: number): void;
  /** Takes what is append-only of an alarm source. One batch that is written twice counts once. */
  writeAlarms(source: string, batch: Pick<AlarmBatch, 'calls' | 'coverage'>): void;
  /** The alarm source is configured no longer: its calls end at `at` (ms). */
  forgetAlarms(source: string, at: number): void;
}

/** Begins with an empty record. */
export function startRecord(): RecordWriter {
  const record = emptyRecord();
  const arrivals = arrivalWriter(record.arrivals);
  const incidents = startIncidents(record.incidents);
  /** The present records of objects, in the order in which they were written. */
  const living = new Map<RefKey, CurrentObject>();

  function cover(change: CoverageChange): void {
    const place = record.coverage.length;
    if (putCoverage(record, change)) incidents.covered(place, change, countOn(living, change.cluster));
  }

  function putObject(object: CurrentObject, at: number): void {
    const { ref, source, deliveredBy, path, repository } = object;
    const key = refKey(ref);
    const { noticedAt } = object.onset;
    // A verdict that goes on was noticed earlier than it had been: the clock was set back.
    if ((living.get(key)?.onset.noticedAt ?? noticedAt) > noticedAt) {
      setTransitionsBack(record, ref, noticedAt);
      setAbsencesBack(record, ref, noticedAt);
      incidents.setBack(ref.cluster, noticedAt);
    }
    const before = living.get(key)?.onset.noticedAt;
    addRecord(record, incidents, object, before === noticedAt ? at : noticedAt);
    record.origins.set(key, { source, deliveredBy, path, repository });
    living.delete(key);
    living.set(key, object);
  }

  return {
    recorded: record,
    write(cluster, batch) {
      if (batch.cluster !== null) record.clusters.set(cluster, batch.cluster);
      if (batch.setBackTo !== undefined) {
        setBack(record, cluster, batch.setBackTo);
        incidents.setBack(cluster, batch.setBackTo);
      }
      if (batch.planned !== undefined) incidents.planned(cluster, batch.planned, batch.at);
      for (const { ref, at } of batch.removed)
        if (living.delete(refKey(ref))) endAbsence(record, incidents, ref, at, 'removed');
      for (const { object } of batch.objects) putObject(object, batch.at);
      for (const transition of batch.transitions) addTransition(record, transition, recordOf(transition, batch));
      for (const change of batch.changes) {
        putChange(record, change);
        arrivals.offered(change);
      }
      record.corrections.push(...batch.corrections);
      for (const span of batch.earlier)
        addOnce(record.earlier, span, ({ ref, uid, from, to, status }) => {
          const isSame = sameRef(ref, span.ref) && uid === span.uid && status === span.status;
          return isSame && from === span.from && to === span.to;
        });
      for (const { ref, commit, at } of batch.arrivals) arrivals.arrived(ref, commit, at);
      for (const change of batch.coverage) cover(change);
      incidents.commit(batch.at);
    },
    forget(cluster, at, most) {
      cover({ cluster, kind: null, at, observed: false, state: 'forgotten', reason: null });
      const its = [...living].filter(([, { ref }]) => ref.cluster === cluster);
      for (const [key, { ref }] of its.slice(0, most)) {
        endTransitions(record, ref, at);
        endAbsence(record, incidents, ref, at, 'forgotten');
        living.delete(key);
      }
      incidents.commit(at);
      record.clusters.delete(cluster);
    },
    writeAlarms(source, { calls, coverage: points }) {
      for (const call of calls) putCall(record, { ...call, source });
      for (const point of points) putAlarmCoverage(record, { ...point, source });
    },
    forgetAlarms: (source, at) => endCalls(record, source, at),
  };
}

/** The record with which a verdict began, in the batch of its transition. */
function recordOf({ ref, at, noticedAt, to }: Transition, { objects }: WriteBatch): CurrentObject | null {
  const found = objects.find(
    ({ object: { onset, ...object } }) =>
      sameRef(object.ref, ref) && onset.time === at && onset.noticedAt === noticedAt && object.verdict === to,
  );
  return found?.object ?? null;
}

function putChange({ changes }: Growing, change: NotedChange): void {
  const { cluster, ref, at, noticedAt, fact } = change;
  addOnce(changes, change, (other) => {
    const isSame = other.cluster === cluster && sameRef(other.ref, ref) && changeKey(other.fact) === changeKey(fact);
    return isSame && other.at === at && other.noticedAt === noticedAt;
  });
}

function putCoverage({ coverage }: Growing, change: CoverageChange): boolean {
  const { cluster, kind, at, state, observed } = change;
  return addOnce(coverage, change, (other) => {
    const isSame = other.cluster === cluster && kindText(other.kind) === kindText(kind) && other.at === at;
    return isSame && other.state === state && other.observed === observed;
  });
}

/** The machine's clock was set back to `now` (ms): nothing of a cluster was noticed later. */
function setBack(record: Growing, cluster: string, now: number): void {
  setTransitionsBack(record, cluster, now);
  setAbsencesBack(record, cluster, now);
  for (const [place, change] of record.coverage.entries())
    if (change.cluster === cluster && change.at > now) record.coverage[place] = { ...change, at: now };
}
