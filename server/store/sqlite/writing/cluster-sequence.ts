import type { DatabaseSync } from 'node:sqlite';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { kindKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { sourceKey, type FactSource } from '../../port/port.ts';
import { firstRow, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';

/** An object that this batch has written: its transitions follow, each with the traits of the record that it belongs to. */
export interface Written {
  readonly id: number;
  readonly records: { readonly traits: number; readonly object: CurrentObject }[];
}

/** Counters of one cluster while a batch is being written. */
export interface ClusterSequence {
  readonly cluster: number;
  seq: number;
  confirmationSeq: number;
  objects: number;
  /** The kind that was last asked for: a batch is of few kinds, mostly one after the other. */
  kind: { readonly group: string; readonly kind: string; readonly id: number } | null;
  readonly written: Map<RefKey, Written>;
}

/** The id of a kind that a batch is of. */
export function kindOf(
  dictionary: Dictionary,
  sequence: ClusterSequence,
  { group, kind }: { readonly group: string; readonly kind: string },
): number {
  if (sequence.kind?.kind === kind && sequence.kind.group === group) return sequence.kind.id;
  const id = dictionary.name(kindKey({ group, kind }));
  sequence.kind = { group, kind, id };
  return id;
}

/** Gives what numbers the writes of a cluster: as it stands in the store, and put there again once the task is done. */
export function openClusterSequences(
  database: DatabaseSync,
  dictionary: Dictionary,
): <T>(source: FactSource<'cluster'>, task: (sequence: ClusterSequence) => T) => T {
  const readSequence = prepare(database, 'SELECT seq, confirmation_seq, objects FROM fact_source WHERE id = ?');
  const writeSequence = database.prepare(
    'UPDATE fact_source SET seq = ?, confirmation_seq = ?, objects = ? WHERE id = ?',
  );
  return (source, task) => {
    const cluster = dictionary.source(source);
    const row = firstRow(readSequence, cluster);
    if (row === null) throw new Error(`the store has no sequence of ${sourceKey(source)}`);
    const sequence: ClusterSequence = {
      cluster,
      seq: whole(row[0]),
      confirmationSeq: whole(row[1]),
      objects: whole(row[2]),
      kind: null,
      written: new Map(),
    };
    const result = task(sequence);
    writeSequence.run(sequence.seq, sequence.confirmationSeq, sequence.objects, cluster);
    return result;
  };
}
