import type { DatabaseSync } from 'node:sqlite';
import { boundedMap, type BoundedMap, type Weights } from '../../../runtime/bounded-map.ts';
import { sourceKey, type FactSource } from '../../port/port.ts';
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
  /** The id of a source of facts, made where it is new. */
  source(source: FactSource): number;
  /** Texts that were written up to now get other ids when they are written again. */
  forgetTexts(): void;
  /** From here on new ids may still be taken back. */
  begin(): void;
  /** Forgets what was made since `begin`, which was rolled back. */
  rollback(): void;
}

// 200,000 texts of two generations: about 60 MB, and a sync of 1,000,000 objects needs far fewer. A cluster may make each of them long.
const remembered = 100_000;
const lettersRemembered: Weights<string, number> = { of: (value) => value.length, most: 30_000_000 };

function rememberedTexts(): BoundedMap<string, number> {
  return boundedMap(remembered, lettersRemembered);
}

/** The dictionary over an open database. Call it within a transaction only. */
export function openDictionary(database: DatabaseSync): Dictionary {
  const names = rememberedTexts();
  let texts = rememberedTexts();
  const sources = boundedMap<string, number>(remembered);
  const findName = prepare(database, 'SELECT id FROM name WHERE text = ?');
  const addName = database.prepare('INSERT INTO name (text) VALUES (?)');
  const addText = database.prepare('INSERT INTO text (text) VALUES (?)');
  const findSource = prepare(database, 'SELECT id FROM fact_source WHERE type = ? AND name = ?');
  const addSource = database.prepare('INSERT INTO fact_source (type, name) VALUES (?, ?)');
  const addCluster = database.prepare('INSERT INTO cluster (id) VALUES (?)');
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
    source(source) {
      const key = sourceKey(source);
      const known = sources.get(key);
      if (known !== undefined) return known;
      const row = firstRow(findSource, source.type, source.name);
      if (row !== null) return keep(sources, key, whole(row[0]));
      const id = Number(addSource.run(source.type, source.name).lastInsertRowid);
      if (source.type === 'cluster') addCluster.run(id);
      return keep(sources, key, id);
    },
    forgetTexts() {
      texts = rememberedTexts();
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
