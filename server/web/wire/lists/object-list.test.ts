import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { given, knownCluster } from '../../testing/moment.ts';
import { sampleDiverged, sampleNow, sampleObject } from '../../testing/sample.ts';
import { objectList } from './object-list.ts';

const suspended = { verdict: 'suspended', was: 'converged' } as const;
const sounding = { state: 'sounding', since: 0, by: 'own' } as const;
const unmeasured = { drift: 'not-measured' } as const;

const clusters = [
  knownCluster('a', [
    sampleObject({ cluster: 'a', name: 'z-fine' }),
    sampleObject({ cluster: 'a', name: 'fine' }, unmeasured),
    sampleDiverged({ cluster: 'a', name: 'silent' }),
    sampleDiverged({ cluster: 'a', name: 'called' }, { alarm: sounding }),
  ]),
  knownCluster('b', [
    sampleObject({ cluster: 'b', name: 'off' }, suspended),
    sampleObject({ cluster: 'b', name: 'fine' }),
    sampleObject({ cluster: 'b', name: 'dns' }, { verdict: 'unobserved', role: 'declared', validUntil: null }),
    sampleObject({ cluster: 'b', name: 'waits' }, { verdict: 'waiting', alarm: sounding, ...unmeasured }),
  ]),
];
const alarms = unknownAlarms('none');
const source = { clusters, alarms, truth: 'holds' as const, filter: null, partial: ['a part'], reconcilers: ['flux'] };
const context = { policy: defaultPolicy, now: sampleNow, links: () => null };

function list(filter: Partial<ObjectFilter>) {
  return given(objectList(source, { ...ObjectFilter.parse({}), ...filter }, context));
}

const named = ({ objects }: ReturnType<typeof list>): string[] =>
  objects.map(({ cluster, name }) => `${cluster}/${name}`);
/** Those counts that are not 0. */
const counted = (counts: Readonly<Record<string, number>>): object =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0));
const all = ['a/silent', 'a/called', 'b/off', 'b/waits', 'b/dns', 'a/fine', 'a/z-fine', 'b/fine'];

describe('a list of objects', () => {
  it('is worst first, counts each verdict, and says what it is of', () => {
    const { objects, ...rest } = list({});
    expect(objects.map(({ cluster, name }) => `${cluster}/${name}`)).toEqual(all);
    expect({ ...rest, counts: counted(rest.counts) }).toEqual({
      asOf: '2026-11-21T02:00:00.000Z',
      total: 8,
      counts: { diverged: 2, waiting: 1, suspended: 1, unobserved: 1, converged: 3 },
      declared: 1,
      truth: 'holds',
      filter: source.filter,
      nextCursor: null,
      reconcilers: ['flux'],
      partial: ['a part'],
    });
  });

  it.each([1, 2, 3, 4, 7, 8])('comes in pages of %i, each with the counts of all', (limit) => {
    const found: string[] = [];
    const { counts } = list({});
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ReturnType<typeof list> = list({ limit, cursor });
      expect([page.total, page.counts, page.declared]).toEqual([8, counts, 1]);
      expect(page.objects.length).toBe(Math.min(limit, 8 - found.length));
      found.push(...named(page));
      cursor = page.nextCursor;
      expect(cursor === null).toBe(found.length === 8);
    }
    expect(found).toEqual(all);
  });

  it.each<[Partial<ObjectFilter>, string[]]>([
    [{ silent: 'true' }, ['a/silent']],
    [{ silent: 'false' }, all.slice(1)],
    [{ verdict: 'waiting,suspended' }, ['b/off', 'b/waits']],
    [{ verdict: 'converged' }, ['a/fine', 'a/z-fine', 'b/fine']],
    [{ guarantee: 'broken' }, ['a/silent']],
    [{ guarantee: 'off, declared' }, ['b/off', 'b/dns']],
    [{ guarantee: 'holds', verdict: 'converged' }, ['a/fine', 'a/z-fine', 'b/fine']],
    [{ guarantee: 'holds', drift: 'not-measured' }, ['b/waits', 'a/fine']],
    [{ guarantee: 'off', drift: 'not-measured' }, []],
    [{ drift: 'not-measured' }, ['b/waits', 'a/fine']],
  ])('of %j', (filter, names) => {
    const found = list(filter);
    expect(named(found)).toEqual(names);
    expect(found.total).toBe(names.length);
  });

  it('counts beside a filter by verdict what that leaves out, and nothing beside another', () => {
    const counts = (filter: Partial<ObjectFilter>): object => counted(list(filter).counts);
    expect(counts({ verdict: 'diverged' })).toEqual(counts({}));
    expect(counts({ guarantee: 'off', limit: 1 })).toEqual({ suspended: 1 });
    expect(counts({ drift: 'not-measured', limit: 1 })).toEqual({ waiting: 1, converged: 1 });
    expect(counts({ silent: 'true' })).toEqual({ diverged: 1 });
  });

  it('refuses a cursor that it did not give', () => {
    const answer = objectList(source, { ...ObjectFilter.parse({}), cursor: 'x' }, context);
    expect(answer).toEqual({
      refused: { type: 'bad-parameter', name: 'cursor', message: 'is no cursor of this API' },
    });
  });
});
