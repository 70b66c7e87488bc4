import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { isForeignObject } from '#lib/foreign.ts';
import { type RecordedObject, recordedObjects } from '#test/fixtures/recorded.ts';
import { hostileDurations, hostileTimes, hostileWords, token, withLongLists, withWords } from '#test/hostile/words.ts';
import { readEvent } from '../clusters/watch/events.ts';
import { goDuration } from './go-duration.ts';
import { observed } from './testing.ts';

/** Fields without which an adapter can read nothing; all else is another word. */
const honest: ReadonlySet<string> = new Set(['apiVersion', 'status', 'lastTransitionTime', 'time', 'startedAt']);
const ofConditions: ReadonlySet<string> = new Set([...honest, 'type']);
/** A sentence may put a few words of ours around a word of theirs. */
const longest = 1_024 + 128;
const unseen = /[[\p{Cc}\p{Cf}\p{Cs}]--[\n\t]]/v;

/** Two objects of each kind, so that each adapter reads some. */
function someOfEachKind(): readonly RecordedObject[] {
  return [...Map.groupBy(recordedObjects(), ({ file }) => file.split('/')[0]).values()].flatMap((all) =>
    all.slice(0, 2),
  );
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The object with another word in every place of its metadata, spec and status. */
function spoiled(object: object, word: string, kept: ReadonlySet<string>): object {
  return Object.fromEntries(
    Object.entries(object).map(([part, value]: [string, unknown]) => [
      part,
      isForeignObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withWords(inner, word, kept)]))
        : value,
    ]),
  );
}

function expectClean(texts: readonly string[]): void {
  for (const text of texts) {
    expect(text.length, `${text.slice(0, 80)}`).toBeLessThanOrEqual(longest);
    expect(text).not.toMatch(unseen);
    expect(text).not.toContain(token);
  }
}

describe.each(Object.entries(hostileWords))('words %s', (_name, word) => {
  it('are clean in every field of every object that is read', () => {
    for (const { file, object, receivedAt } of someOfEachKind()) {
      const categories = file.includes('nopresource') ? ['managed'] : file.startsWith('bucket') ? ['composite'] : [];
      for (const kept of [honest, ofConditions]) {
        const { ref, ...observation } = observed(spoiled(object, word, kept), categories, receivedAt);
        expectClean([...textsOf(ref), ...textsOf(observation)]);
        expect([ref.name, ref.namespace].every((name) => name.length <= 253)).toBe(true);
      }
    }
  });

  it('are clean in an Event', () => {
    const event = {
      metadata: {
        namespace: word,
        uid: word,
        annotations: { 'kustomize.toolkit.fluxcd.io/revision': word, [word]: word },
      },
      involvedObject: { kind: word, name: word, namespace: word, apiVersion: word },
      ...{ type: word, reason: word, message: word, reportingComponent: word },
    };
    const read = readEvent(event);
    expect(read).not.toBeNull();
    expectClean(textsOf(read));
    expectClean(Object.keys(read?.annotations ?? {}));
  });
});

function kustomization(part: { readonly metadata?: object; readonly spec?: object; readonly status?: object }): object {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'apps', namespace: 'flux-system', ...part.metadata },
    spec: { interval: '10m', prune: true, wait: true, ...part.spec },
    status: part.status ?? {},
  };
}

describe.each(hostileDurations)('the duration %s', (text) => {
  it('is a year, wherever it stands: one that is not known would never be overdue', () => {
    expect(goDuration(text)).toBe(365 * day);
    const spec = { interval: text, retryInterval: text, timeout: text };
    const longest = { interval: 365 * day, retryInterval: 365 * day, timeout: 365 * day };
    expect(observed(kustomization({ spec })).cadence).toEqual(longest);
    const annotations = { 'crossplane.io/poll-interval': text };
    const managed = { apiVersion: 'nop.example.org/v1', kind: 'Nop', metadata: { name: 'a', annotations } };
    expect(observed(managed, ['managed']).cadence.interval).toBe(365 * day);
  });
});

it('seconds that are more than a year are a year', () => {
  const spec = { continueResyncOnCommitMatch: true, resyncFrequencySeconds: 1e300 };
  const stack = { apiVersion: 'pulumi.com/v1', kind: 'Stack', metadata: { name: 'a', namespace: 'b' }, spec };
  expect(observed(stack).cadence.interval).toBe(365 * day);
});

it.each(hostileTimes)('the time %s is none', (time) => {
  const condition = { type: 'Ready', status: 'True', reason: 'a', message: 'b', lastTransitionTime: time };
  const { conditions } = observed(kustomization({ status: { conditions: [condition] } }));
  expect(conditions.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual([null]);
});

describe('long lists', () => {
  const many = 20_000;
  const named = (count = many): { name: string }[] =>
    Array.from({ length: count }, (_, index) => ({ name: `a${index}` }));
  const other = { type: 'Other', status: 'True', reason: 'a', message: 'b' };

  it('are no longer than can be shown, in every object that is read', () => {
    for (const { file, object, receivedAt } of someOfEachKind()) {
      const categories = file.includes('nopresource') ? ['managed'] : file.startsWith('bucket') ? ['composite'] : [];
      const read = observed(withLongLists(object, 1_000), categories, receivedAt);
      const { conditions, finalizers, history, dependsOn, otherSources, exemptions, rivals } = read;
      expect([conditions, finalizers, history].map((list) => list.length <= 64)).toEqual([true, true, true]);
      expect(dependsOn.length + otherSources.length).toBeLessThanOrEqual(512);
      expect(exemptions.length + rivals.length).toBeLessThanOrEqual(512);
    }
  });

  it('of dependencies, finalizers, rules and managers', () => {
    const read = observed(
      kustomization({
        metadata: {
          finalizers: named().map(({ name }) => name),
          managedFields: named().map(({ name }) => ({
            manager: `apiextensions.crossplane.io/composed/${name}`,
            fieldsV1: { 'f:spec': { 'f:path': {} } },
          })),
        },
        spec: { dependsOn: named().map((one) => ({ ...one, readyExpr: 'true' })), ignore: named(), prune: false },
      }),
    );
    expect([read.finalizers.length, read.dependsOn.length]).toEqual([32, 256]);
    expect(read.exemptions.length).toBeLessThanOrEqual(1_024);
    expect(read.exemptions.map(({ kind }) => kind)).toContain('prune-disabled');
    expect(read.rivals.length).toBeLessThanOrEqual(1_024);
  });

  it.each([
    ['Ready', kustomization],
    ['Healthy', kustomization],
    ['Stalled', kustomization],
  ])('of conditions leave out no %s at their end', (type, made) => {
    const told = { type, status: 'False', reason: 'BuildFailed', message: 'it is broken' };
    const conditions = [...Array.from({ length: many }, (_, index) => ({ ...other, type: `O${index}` })), told];
    const read = observed(made({ status: { conditions } }));
    expect(read.conditions).toHaveLength(64);
    expect(read.conditions.at(-1)).toMatchObject(told);
  });

  it('no condition that an adapter looks for is left out', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
    const looks = /(?:conditionOf|isTrue)\(\w+, '(\w+)'\)|condition\.type === '(\w+)'/g;
    const asked = sources.flatMap((source) => [...source.matchAll(looks)].map(([, one, another]) => one ?? another));
    expect(asked.length).toBeGreaterThan(30);
    const others = Array.from({ length: many }, (_, index) => ({ ...other, type: `O${index}` }));
    for (const type of new Set(asked)) {
      const { conditions } = observed(kustomization({ status: { conditions: [...others, { ...other, type }] } }));
      expect(conditions.map((condition) => condition.type)).toContain(type);
    }
  });
});
