import type { DatabaseSync } from 'node:sqlite';
import { boundedMap } from '../../../runtime/bounded-map.ts';
import { firstRow, whole } from './cells.ts';
import { prepare } from '../database.ts';

/** Names and texts as integers, for the writing side. */
export interface Dictionary {
  /** The id of what identifies: a kind as group/kind, a namespace. One id for one name, for ever. */
  name(value: string): number;
  /** The id of a text that repeats. The same text may have several ids; an id has one text for ever. */
  text(value: string): number;
  /** As `text`, null for null. */
  textOrNull(value: string | null): number | null;
  /** The id of a cluster, made where it is new. */
  cluster(name: string): number;
  /** Texts that were written up to now get other ids when they are written again. */
  forgetTexts(): void;
  /** From here on new ids may still be taken back. */
  begin(): void;
  /** Forgets what was made since `begin`, which was rolled back. */
  rollback(): void;
}

// 200,000 texts of two generations: about 60 MB at the worst, and a sync of 1,000,000 objects needs far fewer.
const remembered = 100_000;

/** The dictionary over an open database. Call it within a transaction only. */
export function openDictionary(database: DatabaseSync): Dictionary {
  const names = boundedMap<string, number>(remembered);
  let texts = boundedMap<string, number>(remembered);
  const clusters = boundedMap<string, number>(remembered);
  const findName = prepare(database, 'SELECT id FROM name WHERE text = ?');
  const addName = database.prepare('INSERT INTO name (text) VALUES (?)');
  const addText = database.prepare('INSERT INTO text (text) VALUES (?)');
  const findCluster = prepare(database, 'SELECT id FROM cluster WHERE name = ?');
  const addCluster = database.prepare('INSERT INTO cluster (name) VALUES (?)');
  const addSequence = database.prepare('INSERT INTO cluster_sequence (cluster) VALUES (?)');
  let takenBack: (() => void)[] = [];

  function keep(
    map: { set(key: string, id: number): void; delete(key: string): void },
    value: string,
    id: number,
  ): number {
    map.set(value, id);
    takenBack.push(() => map.delete(value));
    return id;
  }

  function text(value: string): number {
    const known = texts.get(value);
    if (known !== undefined) return known;
    return keep(texts, value, Number(addText.run(value).lastInsertRowid));
  }

  return {
    name(value) {
      const known = names.get(value);
      if (known !== undefined) return known;
      const row = firstRow(findName, value);
      return keep(names, value, row === null ? Number(addName.run(value).lastInsertRowid) : whole(row[0]));
    },
    text,
    textOrNull: (value) => (value === null ? null : text(value)),
    cluster(name) {
      const known = clusters.get(name);
      if (known !== undefined) return known;
      const row = firstRow(findCluster, name);
      if (row !== null) return keep(clusters, name, whole(row[0]));
      const id = Number(addCluster.run(name).lastInsertRowid);
      addSequence.run(id);
      return keep(clusters, name, id);
    },
    forgetTexts() {
      texts = boundedMap<string, number>(remembered);
    },
    begin() {
      takenBack = [];
    },
    rollback() {
      for (const forget of takenBack) forget();
      takenBack = [];
    },
  };
}
