import { describe, expect, it } from 'vitest';
import type { Period, Span } from '#lib/domain/record/span.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import { sampleRef } from '../testing/sample.ts';
import { readSpans } from './read-spans.ts';
import { everyPage, pagesOf, readUpTo, type RecordPages } from './record-pages.ts';

/** Pages over scopes of so many numbers each, and the limits that were asked for. */
function pagesOver(...lengths: readonly number[]) {
  const limits: number[] = [];
  const scopes = lengths.map((_length, index): RecordScope => ({ clusters: [String(index)] }));
  const read: RecordPages<string>['read'] = ({ clusters }, cursor, limit) => {
    limits.push(limit);
    const [name = ''] = clusters ?? [];
    const from = Number(cursor ?? 0);
    const end = Math.min(from + limit, lengths[Number(name)] ?? 0);
    const items = Array.from({ length: end - from }, (_, index) => `${name}${from + index}`);
    return Promise.resolve({ items, next: end < (lengths[Number(name)] ?? 0) ? String(end) : null });
  };
  return { limits, pages: { scopes, read } };
}

describe('pages of a list of the record', () => {
  async function allPages(pages: RecordPages<string>, limit: number): Promise<(readonly string[])[]> {
    return Array.fromAsync(everyPage(pages, limit));
  }

  it('go from scope to scope, each about as long as was asked', async () => {
    const { pages, limits } = pagesOver(3, 0, 2);
    expect(await allPages(pages, 2)).toEqual([
      ['00', '01'],
      ['02', '20', '21'],
    ]);
    expect(limits).toEqual([2, 2, 2, 2]);
    expect(await allPages(pagesOver(2, 1).pages, 2)).toEqual([['00', '01'], ['10']]);
    expect(await allPages(pagesOver().pages, 2)).toEqual([[]]);
  });

  it('hold what is kept, and end after 20 reads however little that is', async () => {
    const { pages, limits } = pagesOver(41);
    const kept = { ...pages, keeps: (item: string) => item === '025' };
    expect(await allPages(kept, 1)).toEqual([[], ['025'], []]);
    expect(limits.length).toBe(41);
    const first = await pagesOf({ ...pages, keeps: () => false }, '', 1);
    expect([first?.items, limits.length]).toEqual([[], 61]);
  });

  it('have no other cursors', async () => {
    const { pages } = pagesOver(1);
    expect(await pagesOf(pages, 'x', 1)).toBeNull();
    const after = Buffer.from('[1,null]').toString('base64url');
    expect(await pagesOf(pages, after, 1)).toEqual({ items: [], next: null });
  });

  it('are read until there are enough', async () => {
    const read = async (most: number, ...lengths: readonly number[]) => {
      const { items, complete } = await readUpTo(pagesOver(...lengths).pages, 2, most);
      return [items.length, complete];
    };
    expect(await read(3, 6)).toEqual([4, false]);
    expect(await read(4, 6)).toEqual([4, false]);
    expect(await read(5, 6)).toEqual([6, true]);
    expect(await read(4, 4)).toEqual([4, true]);
    expect(await read(2, 3, 1)).toEqual([3, false]);
    expect(await read(9, 3, 1)).toEqual([4, true]);
  });
});

describe('spans of a period', () => {
  const bare = { uid: 'u', verdict: 'converged', reason: '', message: null, commit: null, attempted: null } as const;

  /** Reads the period of spans that begin and end then, and tells how often and in what chunks. */
  async function readOf(spans: readonly { readonly from: number; readonly to: number | null }[], period: Period) {
    const all = spans.map(({ from, to }): Span => {
      return {
        ...bare,
        ref: sampleRef({ name: 'web' }),
        from,
        to,
        onset: { time: from, bound: 'exact' },
        rootCause: null,
      };
    });
    const limits = new Set<number>();
    const froms = new Set<number>();
    const found = await readSpans(
      {
        spansIn: (_scope, asked, { cursor, limit }) => {
          limits.add(limit);
          froms.add(asked.from);
          const own = all.filter(({ from, to }) => from < asked.to && (to ?? Infinity) > asked.from);
          const end = Number(cursor ?? 0) + limit;
          const items = own.slice(Number(cursor ?? 0), end);
          return Promise.resolve({ items, next: end < own.length ? String(end) : null });
        },
      },
      [{ clusters: null }],
      period,
    );
    return {
      found: found && { count: found.spans.length, period: found.period },
      limits: [...limits],
      froms: [...froms],
    };
  }

  const inARow = (length: number) => Array.from({ length }, (_, from) => ({ from, to: from + 1 }));

  it('are all of it where there are 30,000', async () => {
    const period = { from: 0, to: 30_000 };
    const { found, limits } = await readOf(inARow(30_000), period);
    expect([found, limits]).toEqual([{ count: 30_000, period }, [5_000]]);
  });

  it('are of the newest half of them where there is one more', async () => {
    const { found } = await readOf(inARow(30_001), { from: 0, to: 30_001 });
    expect(found).toEqual({ count: 15_001, period: { from: 15_000, to: 30_001 } });
  });

  it('are of no more than half of the time where the newest half is of more, and of less where it is of less', async () => {
    const late = inARow(30_001).map(({ from, to }) => ({ from: from + 60_000, to: to + 60_000 }));
    const { found } = await readOf(late, { from: 0, to: 100_000 });
    expect(found).toEqual({ count: 15_001, period: { from: 75_000, to: 100_000 } });
    const early = await readOf(inARow(30_001), { from: 0, to: 100_000 });
    expect(early.found).toEqual({ count: 0, period: { from: 50_000, to: 100_000 } });
  });

  it('are of half of it where they all began before, and of none after 12 cuts', async () => {
    const { found, froms } = await readOf(
      Array.from({ length: 30_001 }, () => ({ from: 0, to: null })),
      { from: 0, to: 4_096 },
    );
    const cuts = [0, 2_048, 3_072, 3_584, 3_840, 3_968, 4_032, 4_064, 4_080, 4_088, 4_092, 4_094];
    expect([found, froms]).toEqual([null, cuts]);
  });
});
