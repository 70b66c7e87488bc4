import type { FleetView, WireFleetSummary } from '#lib/api/fleet.ts';
import type { WireCluster } from '#lib/api/cluster.ts';
import type { WireObject } from '#lib/api/object.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import { scopeOf } from '#lib/api/scope.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { incidentNews } from './incident-news.ts';
import { refOnly, wireObject } from '../wire/object/wire-object.ts';
import { wireCluster } from '../wire/wire-cluster.ts';
import { toldMatrix } from './told-matrix.ts';

/** Subject of a stream. */
export type Topic =
  | { readonly type: 'summary' }
  | { readonly type: 'fleet'; readonly view: FleetView }
  | { readonly type: 'cluster'; readonly cluster: string }
  | { readonly type: 'object'; readonly ref: ObjectRef }
  | { readonly type: 'incidents' };

/** A topic as one string: clients with the same one share everything. */
export function topicKey(topic: Topic): string {
  return JSON.stringify(topic);
}

/** Source of a topic's frames. */
export interface TopicSource {
  /** Changes since it was last asked, or since it was made. */
  changes(): readonly StreamFrame[];
  /** All of it, where that is one small frame: sent after `reset`. A matrix is not; it is fetched again. */
  whole(): readonly StreamFrame[];
}

/** Makes the source of a topic. */
export function topicSource(topic: Topic, known: KnownMoment): TopicSource {
  return { changes: topicChanges(topic, known), whole: () => wholeOf(topic, known) };
}

type TopicChanges = () => readonly StreamFrame[];

function wholeOf(topic: Topic, known: KnownMoment): readonly StreamFrame[] {
  switch (topic.type) {
    case 'summary':
      return [{ type: 'summary', summary: known.summary() }];
    case 'fleet':
      return [{ type: 'summary', summary: known.summary('first', scopeOf(topic.view)) }];
    case 'cluster':
      return [clusterFrame(topic.cluster, clusterIn(known, topic.cluster))];
    case 'object':
      return [objectFrame(topic.ref, objectIn(known, topic.ref))];
    case 'incidents':
      return [];
  }
}

function clusterIn({ fleet, now: read, recordOf }: KnownMoment, name: string): WireCluster | null {
  const now = read();
  const known = fleet.cluster(name, now);
  return known ? wireCluster(known, recordOf(name), now) : null;
}

function objectIn({ find, now: read, context }: KnownMoment, ref: ObjectRef): WireObject | null {
  const now = read();
  const found = find(ref, now);
  return found ? wireObject(found, context(now)) : null;
}

function clusterFrame(name: string, cluster: WireCluster | null): StreamFrame {
  const gone = { cluster: name, group: '', kind: '', namespace: '', name: '' };
  return cluster ? { type: 'cluster', cluster } : { type: 'removed', ref: gone };
}

function objectFrame(ref: ObjectRef, object: WireObject | null): StreamFrame {
  return object ? { type: 'object', object } : { type: 'removed', ref: refOnly(ref) };
}

function topicChanges(topic: Topic, known: KnownMoment): TopicChanges {
  switch (topic.type) {
    case 'summary':
      return summaryChanges(() => known.summary());
    case 'fleet': {
      const scope = scopeOf(topic.view);
      const summary = summaryChanges(() => known.summary('first', scope));
      const rows = rowChanges(known, topic.view);
      return () => [...rows(), ...summary()];
    }
    case 'cluster':
      return valueChanges(
        () => clusterIn(known, topic.cluster),
        (cluster) => clusterFrame(topic.cluster, cluster),
      );
    case 'object':
      return valueChanges(
        () => objectIn(known, topic.ref),
        (object) => objectFrame(topic.ref, object),
      );
    case 'incidents':
      return incidentNews(known);
  }
}

/** The clocks of a summary move all the time; ticks carry them. */
function summarySubstance({ asOf: _asOf, lastWordAt: _lastWordAt, ...substance }: WireFleetSummary): string {
  return JSON.stringify(substance);
}

function summaryChanges(read: () => WireFleetSummary): TopicChanges {
  let last = summarySubstance(read());
  return () => {
    const summary = read();
    const substance = summarySubstance(summary);
    if (substance === last) return [];
    last = substance;
    return [{ type: 'summary', summary }];
  };
}

function rowChanges(known: KnownMoment, view: FleetView): TopicChanges {
  const told = toldMatrix(known.board(view));
  // More views may be followed than boards are kept: where nothing has changed none is made anew.
  return () => (known.fleet.stamp(known.now()) === told.stamp() ? [] : told.next(known.board(view)));
}

function valueChanges<T>(read: () => T, frame: (value: T) => StreamFrame): TopicChanges {
  let last = JSON.stringify(read());
  return () => {
    const value = read();
    const text = JSON.stringify(value);
    if (text === last) return [];
    last = text;
    return [frame(value)];
  };
}
