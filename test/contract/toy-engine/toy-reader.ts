import { refKey } from '#lib/domain/observation/ref.ts';
import { clusterSource, sourceKey, type Change, type StoreReader } from '#server/store/port/port.ts';
import { createFollow, type FollowRows } from '#server/store/record/follow.ts';
import { readNoted } from '#server/store/record/noted.ts';
import { readRecord } from '#server/store/record/record.ts';
import { factChange, sourceChange } from './alarm-table.ts';
import { bySeq, isHalfForgotten, livingRows, type SourceTable, type ObjectRow, type Tables } from './tables.ts';

/** The reading side over tables in memory; `store` is their id. */
export function openToyReader(tables: Tables, store: string): StoreReader {
  const { recorded } = tables.record;
  const follow = createFollow(store);
  const rows = followRows(tables);
  return {
    ...readNoted(recorded),
    follow: async (cursor, limit) => follow(rows, cursor, Math.max(1, limit)),
    detail: async (ref) =>
      tables.sources.get(sourceKey(clusterSource(ref.cluster)))?.objects.get(refKey(ref))?.living?.detail ?? null,
    record: readRecord(recorded),
    clusters: async () => {
      const half = [...tables.sources.values()].filter(isHalfForgotten).map(({ name }) => name);
      return [...recorded.clusters.keys(), ...half].toSorted();
    },
    alarmSources: async () =>
      [...tables.sources.values()]
        .filter(({ type }) => type === 'alarm-source')
        .filter(({ name, alarms }) => alarms.source !== null || hasOpenCall(tables, name))
        .map(({ name }) => name)
        .toSorted(),
    stats: async () => ({
      objects: [...tables.sources.values()].reduce((sum, table) => sum + livingRows(table).length, 0),
      clusters: recorded.clusters.size,
      transitions: recorded.transitions.length,
      bytes: 0,
    }),
    close: async () => undefined,
  };
}

function hasOpenCall({ record }: Tables, name: string): boolean {
  return record.recorded.calls.some(({ source, to }) => source === name && to === null);
}

/** Rows that following reads; sources are numbered from 1 on. */
function followRows({ sources }: Tables): FollowRows {
  function tableOf(source: number): SourceTable {
    const table = [...sources.values()][source - 1];
    if (table === undefined) throw new Error(`there is no source ${source}`);
    return table;
  }

  return {
    latest: () =>
      [...sources.values()].map(({ seq, confirmationSeq }, place) => ({
        source: place + 1,
        seq,
        confirmation: confirmationSeq,
        swept: 0,
      })),
    record(source) {
      const table = tableOf(source);
      const { type, name, record, recordSeq: seq, alarms } = table;
      if (type === 'alarm-source') return { change: sourceChange(table), seq, isRemoved: alarms.source === null };
      const change: Change =
        record === null ? { type: 'cluster-removed', cluster: name } : { type: 'cluster', cluster: record };
      return { change, seq, isRemoved: record === null };
    },
    rows(source, after, floor, limit) {
      const newer = changesOf(tableOf(source)).filter(({ seq, living }) => seq > after && (living || seq > floor));
      const rows = bySeq(newer).slice(0, limit);
      return { rows, more: rows.length === limit };
    },
    confirmations(cluster, after, limit) {
      const rows = [...tableOf(cluster).objects.values()].flatMap(({ confirmation }) => confirmation ?? []);
      return bySeq(rows.filter(({ seq }) => seq > after))
        .slice(0, limit)
        .map(({ seq, confirmation }) => ({ seq, change: { type: 'confirmed', ...confirmation } }));
    },
  };
}

/** Every row of a source with what followers are told of it. */
function changesOf({ type, name, alarms, objects }: SourceTable) {
  if (type === 'alarm-source')
    return [...alarms.facts.values()].map((row) => {
      return { seq: row.seq, living: row.type !== 'gone', change: factChange(name, row) };
    });
  return [...objects.values()].map((row) => {
    return { seq: row.seq, living: row.living !== null, change: changeOf(row) };
  });
}

function changeOf({ ref, living }: ObjectRow): Change {
  return living === null ? { type: 'removed', ref } : { type: 'object', object: living.object };
}
