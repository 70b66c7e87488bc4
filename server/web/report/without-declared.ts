import { declaredKind } from '#lib/domain/verdict/only-declared.ts';
import type { Shares } from '#lib/domain/record/figures.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';

/** The record as a report asks it: stacks that are only declared can never be observed, and are counted apart. */
export interface ObservableRecord extends RecordReader {
  /** Number of stacks that were declared at some time in a period. */
  declaredCount(scope: RecordScope, period: Period): Promise<number>;
}

const declaredKey = `${declaredKind.group}/${declaredKind.kind}`;

/** Part of a scope that is only declared; null where nothing of it can be. */
function declaredIn(scope: RecordScope): RecordScope | null {
  const { kind = declaredKind } = scope;
  return kind.group === declaredKind.group && kind.kind === declaredKind.kind ? { ...scope, kind } : null;
}

function subtract(all: Shares, part: Shares | undefined): Shares {
  if (part === undefined) return all;
  const left = { ...all };
  for (const verdict of verdicts) left[verdict] -= part[verdict];
  return left;
}

/** A record in which what is only declared takes no time and is no object. */
export function withoutDeclared(record: RecordReader): ObservableRecord {
  async function declaredCount(scope: RecordScope, period: Period): Promise<number> {
    const declared = declaredIn(scope);
    return declared !== null && (await record.hasObject(declared, period)) ? record.objectCount(declared, period) : 0;
  }

  return {
    ...record,
    declaredCount,
    async objectCount(scope, period) {
      return (await record.objectCount(scope, period)) - (await declaredCount(scope, period));
    },
    async shares(scope, period, by) {
      const all = await record.shares(scope, period, by);
      if (by === 'kind') return all.filter(({ key }) => key !== declaredKey);
      const declared = declaredIn(scope);
      if (declared === null || !(await record.hasObject(declared, period))) return all;
      const parts = new Map((await record.shares(declared, period, by)).map(({ key, shares }) => [key, shares]));
      return all
        .map(({ key, shares }) => ({ key, shares: subtract(shares, parts.get(key)) }))
        .filter(({ shares }) => verdicts.some((verdict) => shares[verdict] > 0));
    },
  };
}
