import { ClusterScope } from '#lib/api/cluster.ts';
import { FleetView } from '#lib/api/fleet.ts';
import type { WireFleet, WireFleetHead } from '#lib/api/fleet.ts';
import { scopeOf, wholeFleet, type Scope } from '#lib/api/scope.ts';
import { asKnownAt } from '#lib/domain/as-known-at.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/current.ts';
import { gapsOf } from '#lib/domain/gap.ts';
import type { Policy } from '#lib/domain/guarantee.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { StoreReader } from '#server/store/port.ts';
import {
  namesIn,
  notRecorded,
  notThere,
  notThereOn,
  refusalOf,
  type AskedNames,
  type NotThere,
} from './asked/not-there.ts';
import { changesBefore } from './changes-before.ts';
import { fleetHeads } from './fleet-heads.ts';
import { recordQueries } from './history/record-queries.ts';
import { keepRecent } from './keep-recent.ts';
import { matrixBoard } from './matrix-board.ts';
import type { BoardState, MatrixBoard } from './matrix-board.ts';
import { changedBetween } from './past/changed.ts';
import { transitionList } from './past/transition-list.ts';
import type { KnownFleet } from './picture/known-fleet.ts';
import { ownershipQueries } from './ownership-queries.ts';
import type { Picture } from './picture/picture.ts';
import type { RecordFacts } from './record-facts.ts';
import { keptOf, scopedFleet } from './scoped-fleet.ts';
import type { NotFound, WebRuntime } from './web-runtime.ts';
import { changeList } from './wire/change-list.ts';
import { clusterPage } from './wire/cluster-page.ts';
import { nearestClusters, nearestObjects } from './wire/nearest.ts';
import { neighboursOf } from './wire/neighbours.ts';
import { objectList, reconcilersOf } from './wire/object-list.ts';
import { mostTransitions, objectPage } from './wire/object-page.ts';
import { partialTexts } from './wire/partial.ts';
import { wireCluster } from './wire/wire-cluster.ts';
import type { LinksOf, WireContext } from './wire/wire-context.ts';
import { wireHead } from './wire/wire-head.ts';
import { wireObject, wireTransition } from './wire/wire-object.ts';
import { wireTime } from './wire/wire-time.ts';

/** What the queries are asked of. */
export interface FleetQueriesDeps {
  readonly picture: Picture;
  readonly fleet: KnownFleet;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly links: LinksOf;
  readonly simulated: boolean;
  /** The store for what the picture does not hold; null while it cannot be read. */
  readonly reader: () => StoreReader | null;
  readonly trouble: () => string | null;
  /** The record's size and reach; absent where the past is asked. */
  readonly record?: () => RecordFacts | null;
}

/** The runtime and what the stream needs beside it. */
export interface FleetQueries extends Omit<WebRuntime, 'past' | 'reports'> {
  board(view: FleetView): BoardState;
  /** One object as known now, for its stream; null where it is not there. */
  object(ref: ObjectRef): ReturnType<typeof wireObject> | null;
  cluster(name: string): ReturnType<typeof wireCluster> | null;
}

const BOARDS = 64;
/** A transition page goes back this far (ms); the record keeps all. */
const RECORD_REACH = 90 * 24 * 3_600_000;
const DAY = 24 * 3_600_000;

const hint = `clusters:
  - name: eu-west-3
    kubeconfig: ./eu-west-3.yaml
    labels: { environment: production }
`;

/** Makes the queries over the picture. Every answer goes through `asKnownAt` at the clock's now. */
export function fleetQueries(deps: FleetQueriesDeps): FleetQueries {
  const { picture, fleet, clock, policy, links, simulated, reader, trouble } = deps;
  const boards = new Map<string, MatrixBoard>();
  const heads = fleetHeads({ fleet, policy });

  function recordOf(name: string): CurrentCluster | null {
    return picture.shelf(name)?.record ?? null;
  }

  function contextAt(now: number): WireContext {
    return { policy, now, links };
  }

  function find(ref: ObjectRef, now: number): CurrentObject | null {
    const stored = picture.object(ref);
    return stored ? asKnownAt(stored, recordOf(ref.cluster), now) : null;
  }

  async function refusalInRecord(asked: AskedNames, now: number): Promise<NotThere | null> {
    const missing = notThere(asked, namesIn(fleet.all(now)));
    const record = reader()?.record;
    return missing.length === 0 || !record ? null : refusalOf(await notRecorded(missing, record, now));
  }

  function boardOf(view: FleetView): MatrixBoard {
    const key = JSON.stringify(FleetView.parse(view));
    return keepRecent(
      boards,
      key,
      () => matrixBoard(view, { whole: fleet, shown: scopedFleet(scopeOf(view), fleet, policy) }, policy, links),
      BOARDS,
    );
  }

  function headAt(now: number, causes: 'first' | 'all', scope: Scope): WireFleetHead {
    const { clusters, core } = heads.of(scope, now);
    const known = { record: deps.record?.() ?? null, trouble: trouble() };
    return wireHead(core, { clusters, whole: fleet.all(now), recordOf, now, simulated, ...known }, causes);
  }

  return {
    ...recordQueries({
      record: () => reader()?.record ?? null,
      fleet: (now) => fleet.all(now),
      find,
      context: () => contextAt(clock.now()),
    }),
    ...ownershipQueries({ picture, fleet, clock, recordOf, contextAt }),
    missing: (asked) => refusalOf(notThere(asked, namesIn(fleet.all(clock.now())))),
    head: (causes = 'first', scope = wholeFleet) => headAt(clock.now(), causes, scope),
    fleet(view, causes = 'first'): WireFleet {
      const now = clock.now();
      const { columns, rows, labels } = boardOf(view).read(now);
      const head = headAt(now, causes, scopeOf(view));
      return {
        head,
        columns: [...columns],
        rows: [...rows],
        labels: [...labels],
        reconcilers: reconcilersOf(fleet.all(now)),
        hint: fleet.all(now).length === 0 ? hint : null,
      };
    },
    board: (view) => boardOf(view).read(clock.now()),
    clusters() {
      const now = clock.now();
      const clusters = fleet.all(now).map((known) => wireCluster(known, recordOf(known.name), now));
      return { asOf: wireTime(now), clusters };
    },
    cluster(name) {
      const now = clock.now();
      const known = fleet.cluster(name, now);
      return known ? wireCluster(known, recordOf(name), now) : null;
    },
    object(ref) {
      const now = clock.now();
      const found = find(ref, now);
      return found ? wireObject(found, contextAt(now)) : null;
    },
    clusterPage(name, asked = ClusterScope.parse({})) {
      const now = clock.now();
      const known = fleet.cluster(name, now);
      if (!known) return notFound(nearestClusters(name, fleet.all(now)));
      const { kind, namespace, q } = asked;
      const missing = refusalOf(notThereOn(known, { kind, namespace }));
      if (missing !== null) return missing;
      const scope = { ...wholeFleet, cluster: name, kind, namespace, q };
      const kept = keptOf(scope, known, policy, now);
      return clusterPage({ known, kept, scope, record: recordOf(name) }, contextAt(now));
    },
    async objectPage(ref) {
      const store = reader();
      const range = { from: clock.now() - RECORD_REACH, to: clock.now() + 1, limit: mostTransitions + 1 };
      if (!picture.object(ref)) {
        const [last] = (await store?.transitions(ref, { ...range, limit: 1 }).catch(() => [])) ?? [];
        const missing = notFound(nearestObjects(ref, fleet.all(clock.now())));
        return last === undefined ? missing : { ...missing, last: wireTransition(last) };
      }
      const [detail, transitions, coverage] = await Promise.all([
        store?.detail(ref).catch(() => null) ?? null,
        store?.transitions(ref, range).catch(() => []) ?? [],
        store?.coverage(ref.cluster, range).catch(() => []) ?? [],
      ]);
      const now = clock.now();
      const object = find(ref, now);
      const cluster = fleet.cluster(ref.cluster, now);
      if (!object || !cluster) return notFound(nearestObjects(ref, fleet.all(now)));
      const all = fleet.all(now);
      const namesakes = all.flatMap(({ name }) =>
        name === ref.cluster ? [] : (find({ ...ref, cluster: name }, now) ?? []),
      );
      const context = contextAt(now);
      const known = (other: ObjectRef) => find(other, now);
      const question = { object, detail, coverage, find: known, context };
      const before = store ? await changesBefore({ ...question, store }).catch(() => null) : null;
      return objectPage({
        object,
        detail,
        transitions,
        gaps: gapsOf(coverage, ref),
        before,
        cluster,
        fleet: all,
        namesakes,
        conflicts: recordOf(ref.cluster)?.conflicts ?? [],
        find: known,
        context,
      });
    },
    neighbours(ref) {
      const now = clock.now();
      const all = fleet.all(now);
      const object = find(ref, now);
      return object ? neighboursOf(object, all, contextAt(now)) : notFound(nearestObjects(ref, all));
    },
    async changes({ cluster, from, to, limit }) {
      const now = clock.now();
      const end = to === '' ? now : Date.parse(to);
      const span = { from: from === '' ? end - DAY : Date.parse(from), to: end };
      const range = { ...span, limit: limit + 1, ...(cluster === '' ? {} : { cluster }) };
      const found =
        (await reader()
          ?.changes(range)
          .catch(() => null)) ?? null;
      if (found === null) return null;
      const missing = found.length > 0 ? null : await refusalInRecord({ cluster }, now);
      return missing ?? changeList(found, span, limit, (ref) => find(ref, now), contextAt(now));
    },
    async transitions(query) {
      const now = clock.now();
      const record = reader()?.record;
      if (!record) return null;
      const answer = async () => (await refusalInRecord(query, now)) ?? transitionList(record, query, now);
      return answer().catch(() => null);
    },
    async changed(question) {
      const store = reader();
      if (!store) return { type: 'unreadable' };
      const now = clock.now();
      const clusters = fleet.all(now).map(({ name }) => ({ name, validUntil: recordOf(name)?.validUntil ?? null }));
      const known = (ref: ObjectRef) => find(ref, now);
      const deps = { store, clusters, find: known, context: contextAt(now) };
      return changedBetween(question, deps).catch(() => ({ type: 'unreadable' }));
    },
    objects(filter) {
      const now = clock.now();
      const missing = refusalOf(notThere(filter, namesIn(fleet.all(now))));
      if (missing !== null) return missing;
      const { clusters, core } = heads.of(scopeOf(filter), now);
      const { truth } = core.guarantee;
      const partial = [...partialTexts(clusters, recordOf, now)];
      const source = { clusters, truth, filter: core.filter, partial, reconcilers: reconcilersOf(fleet.all(now)) };
      return objectList(source, filter, contextAt(now));
    },
  };
}

function notFound(nearest: readonly ObjectRef[]): NotFound {
  return { type: 'not-found', nearest: nearest.map((ref) => ({ ...ref })) };
}
