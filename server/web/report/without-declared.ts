import { kindKey } from '#lib/domain/observation/ref.ts';
import type { Shares } from '#lib/domain/record/figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { declaredKind } from '#lib/domain/verdict/only-declared.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';

/** The record as a report asks it: stacks that are only declared can never be observed, and are counted apart. */
export interface ObservableRecord extends Omit<RecordReader, 'objectCount'> {
  /** Number of objects that existed at some time in a period, and of stacks that were declared. */
  counts(scope: RecordScope, period: Period): Promise<{ readonly objects: number; readonly declared: number }>;
}

const declaredKey = kindKey(declaredKind);

/** A record in which what is only declared takes no time and is no object. For one report: what is declared is looked for once a period. */
export function withoutDeclared(record: RecordReader): ObservableRecord {
  const declared = new Map<string, Promise<RecordScope | null>>();

  /** Part of a scope that is only declared; null where nothing of it was there. */
  function declaredIn(scope: RecordScope, period: Period): Promise<RecordScope | null> {
    const key = JSON.stringify([scope, period.from, period.to]);
    const known = declared.get(key) ?? findDeclared(scope, period);
    declared.set(key, known);
    return known;
  }

  async function findDeclared(scope: RecordScope, period: Period): Promise<RecordScope | null> {
    const { kind = declaredKind } = scope;
    const stacks = { ...scope, kind };
    return kindKey(kind) === declaredKey && (await record.hasObject(stacks, period)) ? stacks : null;
  }

  return {
    ...record,
    async counts(scope, period) {
      const stacks = await declaredIn(scope, period);
      const count = stacks === null ? 0 : await record.objectCount(stacks, period);
      return { objects: (await record.objectCount(scope, period)) - count, declared: count };
    },
    async shares(scope, period, by) {
      const all = await record.shares(scope, period, by);
      if (by === 'kind') return all.filter(({ key }) => key !== declaredKey);
      const stacks = await declaredIn(scope, period);
      if (stacks === null) return all;
      const parts = new Map((await record.shares(stacks, period, by)).map(({ key, shares }) => [key, shares]));
      return all
        .map(({ key, shares }) => ({ key, shares: subtract(shares, parts.get(key)) }))
        .filter(({ shares }) => verdicts.some((verdict) => shares[verdict] > 0));
    },
  };
}

function subtract(all: Shares, part: Shares | undefined): Shares {
  if (part === undefined) return all;
  const left = { ...all };
  for (const verdict of verdicts) left[verdict] -= part[verdict];
  return left;
}
