import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { factKey, type AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmBatch } from '../../port/alarm-batch.ts';

/** Largest text of one fact that is kept, in bytes of UTF-8. */
export const largestFact = 4 * 1024 * 1024;
/** So many characters of texts are as much to write as one row more. */
const charactersInRow = 1_000;

/** A fact as it is stored; `body` is its JSON, null where that is too large. */
export interface EncodedFact {
  readonly type: AlarmFact['type'];
  readonly key: string;
  readonly body: string | null;
}

/** A batch as it crosses threads, with facts and the source's own record as texts. */
export interface EncodedAlarms extends Omit<AlarmBatch, 'source' | 'put'> {
  /** Number of rows it writes, at least 1; what is large counts as several. */
  readonly rows: number;
  readonly source: string | null;
  readonly put: readonly EncodedFact[];
}

/** A fact as it is stored. */
export function encodeFact(fact: AlarmFact): EncodedFact {
  const body = JSON.stringify(fact);
  // A UTF-16 unit takes at most three bytes.
  const fits = body.length * 3 <= largestFact || Buffer.byteLength(body) <= largestFact;
  return { type: fact.type, key: fact.key, body: fits ? body : null };
}

/** Puts a batch on its way to the engine. */
export function encodeAlarms({ source, put, ...parts }: AlarmBatch): EncodedAlarms {
  const text = source === null ? null : JSON.stringify(source);
  return counted({ ...parts, source: text, put: put.map(encodeFact) });
}

/**
 * Two batches of one source as one, the older first: of a fact the later word counts, of a call its end, and coverage is told in its order, what
 * says the same again once.
 */
export function mergeAlarms(older: EncodedAlarms, newer: EncodedAlarms): EncodedAlarms {
  const removedLater = new Set(newer.removed);
  const put = new Map<string, EncodedFact>();
  for (const fact of older.put) if (!removedLater.has(factKey(fact))) put.set(factKey(fact), fact);
  for (const fact of newer.put) put.set(factKey(fact), fact);
  return counted({
    at: newer.at,
    source: newer.source ?? older.source,
    put: [...put.values()],
    removed: [...new Set([...older.removed, ...newer.removed])],
    calls: callsOnce([...older.calls, ...newer.calls]),
    coverage: coverageOnce([...older.coverage, ...newer.coverage]),
  });
}

function callsOnce(calls: readonly AlarmCall[]): readonly AlarmCall[] {
  const found = new Map<string, AlarmCall>();
  for (const call of calls) {
    const name = `${call.from} ${call.key}`;
    const known = found.get(name);
    found.set(name, known === undefined ? call : { ...known, to: known.to ?? call.to });
  }
  return [...found.values()];
}

function coverageOnce(coverage: readonly AlarmCoverage[]): readonly AlarmCoverage[] {
  const said = ({ read, clusters, reason }: AlarmCoverage): string => JSON.stringify([read, clusters, reason]);
  return coverage.filter((one, place) => {
    const before = coverage[place - 1];
    return before === undefined || before.at > one.at || said(before) !== said(one);
  });
}

function counted(batch: Omit<EncodedAlarms, 'rows'>): EncodedAlarms {
  const { put, removed, calls, coverage } = batch;
  const rows = 1 + put.length + removed.length + calls.length + coverage.length;
  const characters = put.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
  return { ...batch, rows: rows + Math.floor(characters / charactersInRow) };
}
