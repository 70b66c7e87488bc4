import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { second } from '#lib/domain/time/length.ts';
import type { ObservedEvent } from '../../clusters/cluster-event.ts';
import { noCorrections, type CorrectionMemory } from '../correction-run.ts';
import { corrections } from '../registry.ts';
import { observedEvent, observed } from '../testing.ts';

const start = Date.parse('2026-11-21T08:00:00Z');

interface Pass {
  readonly end: number;
  readonly revision?: string;
  readonly digest?: string;
  readonly first?: number;
  readonly generation?: number;
  readonly history?: boolean;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** A Kustomization that has just ended a pass well. */
function passed({
  end,
  revision = 'main@sha1:a',
  digest = 'sha256:a',
  first = start,
  generation = 1,
  history = true,
}: Pass): Observation {
  const entry = {
    digest,
    firstReconciled: iso(first),
    lastReconciled: iso(end),
    lastReconciledStatus: 'ReconciliationSucceeded',
    metadata: { revision },
  };
  return observed({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'x', namespace: 'apps', generation },
    spec: { interval: '1m', prune: true },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'ReconciliationSucceeded',
          observedGeneration: generation,
          lastTransitionTime: iso(end),
        },
      ],
      lastAppliedRevision: revision,
      lastAttemptedRevision: revision,
      history: history ? [entry] : undefined,
    },
  });
}

function configured(at: number, revision: string, part: Partial<ObservedEvent> = {}): ObservedEvent {
  const annotations = { 'kustomize.toolkit.fluxcd.io/revision': revision };
  return observedEvent({
    uid: `e${at}`,
    reason: 'Progressing',
    message: 'ConfigMap/apps/x configured',
    lastAt: at,
    annotations,
    ...part,
  });
}

function run(steps: readonly (readonly [ObservedEvent | null, Observation])[]): string {
  let memory: CorrectionMemory | null = null;
  const found: string[] = [];
  for (const [event, observation] of steps) {
    const step = corrections('flux', memory, event, observation, start);
    memory = step?.memory ?? null;
    if (step?.correction) found.push(`${step.correction.certainty} ${step.correction.count}`);
  }
  return found.join(', ');
}

const a0 = passed({ end: start });
const a1 = passed({ end: start + 60 * second });
const drift = configured(start + 59 * second, 'main@sha1:a');

describe('a correction of a Kustomization', () => {
  it('names what was changed or made, and nothing else', () => {
    const message =
      'ConfigMap/apps/x configured\n Secret/apps/y unchanged\n Secret/apps/z created\nJob/apps/j configured later';
    const known = corrections('flux', null, null, a0, start)?.memory ?? null;
    const claimed = corrections('flux', known, { ...drift, message }, a0, start)?.memory ?? null;
    expect(corrections('flux', claimed, null, a1, start)?.correction).toEqual({
      at: start + 59 * second,
      certainty: 'confirmed',
      said: 'ConfigMap/apps/x configured, Secret/apps/z created',
      count: 1,
    });
  });

  it('is confirmed at the end of its pass, not before', () => {
    expect(
      run([
        [null, a0],
        [drift, a0],
      ]),
    ).toBe('');
    expect(
      run([
        [null, a0],
        [drift, a0],
        [null, a1],
      ]),
    ).toBe('confirmed 1');
  });

  it('is the same whether the event or the pass is told first', () => {
    expect(
      run([
        [null, a0],
        [null, a1],
        [drift, a1],
      ]),
    ).toBe('confirmed 1');
  });

  it('is one also where the object had been deleted', () => {
    expect(
      run([
        [null, a0],
        [configured(start + 59 * second, 'main@sha1:a', { message: 'ConfigMap/apps/x created' }), a0],
        [null, a1],
      ]),
    ).toBe('confirmed 1');
  });

  it.each<readonly [string, Observation, ObservedEvent]>([
    [
      'a new revision',
      passed({ end: start + 60 * second, revision: 'main@sha1:b', digest: 'sha256:b', first: start + 60 * second }),
      configured(start + 59 * second, 'main@sha1:b'),
    ],
    [
      'the same revision with other inputs (substituteFrom, spec)',
      passed({ end: start + 60 * second, digest: 'sha256:b' }),
      drift,
    ],
    ['an edit of the spec', passed({ end: start + 60 * second, generation: 2 }), drift],
    ['a pruned object', a1, configured(start + 59 * second, 'main@sha1:a', { message: 'ConfigMap/apps/x deleted' })],
    [
      'a health check that passed',
      a1,
      configured(start + 59 * second, 'main@sha1:a', { message: 'Health check passed in 5.02s' }),
    ],
    [
      'a failure that lists what it changed',
      a1,
      configured(start + 59 * second, 'main@sha1:a', { type: 'Warning', reason: 'ReconciliationFailed' }),
    ],
  ])('is none: %s', (_case, after, event) => {
    expect(
      run([
        [null, a0],
        [event, a0],
        [null, after],
      ]),
    ).toBe('');
    expect(
      run([
        [null, a0],
        [null, after],
        [event, after],
      ]),
    ).toBe('');
  });

  it.each([
    ['the pass of a new commit with the content of before (the digest decides)', a0, 'confirmed 1'],
    [
      'a new commit after a failure that left its content in the history',
      passed({ end: start + 30 * second, digest: 'sha256:b' }),
      '',
    ],
  ])('in %s', (_case, before, found) => {
    const after = passed({ end: start + 60 * second, revision: 'main@sha1:b' });
    expect(
      run([
        [null, a0],
        [null, before],
        [configured(start + 59 * second, 'main@sha1:b'), before],
        [null, after],
      ]),
    ).toBe(found);
  });

  it('before Flux 2.7, without a digest, a new commit is never one', () => {
    const old = (end: number, revision: string): Observation => passed({ end, revision, history: false });
    expect(
      run([
        [null, old(start, 'main@sha1:a')],
        [configured(start + 59 * second, 'main@sha1:b'), old(start, 'main@sha1:a')],
        [null, old(start + 60 * second, 'main@sha1:b')],
      ]),
    ).toBe('');
  });

  it('is none where content went back to what it was two passes ago (revert)', () => {
    const b = passed({
      end: start + 60 * second,
      revision: 'main@sha1:b',
      digest: 'sha256:b',
      first: start + 60 * second,
    });
    const back = passed({ end: start + 120 * second, revision: 'main@sha1:c', digest: 'sha256:a' });
    expect(
      run([
        [null, a0],
        [null, b],
        [configured(start + 119 * second, 'main@sha1:c'), b],
        [null, back],
      ]),
    ).toBe('');
  });

  it.each<readonly [string, Partial<ObservedEvent>, string]>([
    ['of the revision of its pass', {}, 'confirmed 1'],
    ['of another revision', { annotations: { 'kustomize.toolkit.fluxcd.io/revision': 'main@sha1:z' } }, ''],
    ['that tells no revision', { annotations: {} }, 'confirmed 1'],
    [
      'of another revision that was told again: it is that of the first',
      { count: 2, annotations: { 'kustomize.toolkit.fluxcd.io/revision': 'main@sha1:z' } },
      'confirmed 1',
    ],
    ['that says how the pass ended', { reason: 'ReconciliationSucceeded' }, ''],
  ])('is told by an Event %s: %s', (_case, part, found) => {
    expect(
      run([
        [null, a0],
        [{ ...drift, ...part }, a0],
        [null, a1],
      ]),
    ).toBe(found);
  });

  it('keeps four passes and eight claims, the last ones, and what an Event claims', () => {
    let memory: CorrectionMemory | null = null;
    for (let n = 0; n < 5; n += 1)
      memory = corrections('flux', memory, null, passed({ end: start + n * second }), start)?.memory ?? null;
    expect(memory?.passes.map(({ at }) => at)).toEqual([1, 2, 3, 4].map((n) => start + n * second));
    for (let n = 0; n < 9; n += 1)
      memory =
        corrections('flux', memory, configured(start + (10 + n) * second, 'main@sha1:a'), a0, start)?.memory ?? null;
    expect(memory?.claims.map(({ at }) => at)).toEqual([11, 12, 13, 14, 15, 16, 17, 18].map((n) => start + n * second));
    expect(memory?.claims[0]).toEqual({
      at: start + 11 * second,
      said: 'ConfigMap/apps/x configured',
      count: 1,
      revision: 'main@sha1:a',
      generation: 1,
      passKnown: start + 4 * second,
    });
  });

  it.each<readonly [string, readonly Pass[], readonly string[]]>([
    ['told twice are one', [{ end: start }, { end: start }], ['0 main@sha1:a sha256:a']],
    [
      'of one second are two by their content',
      [{ end: start }, { end: start, digest: 'sha256:b' }],
      ['0 main@sha1:a sha256:a', '0 main@sha1:a sha256:b'],
    ],
    [
      'of one second with one content are one, whatever commit it came with',
      [{ end: start }, { end: start, revision: 'main@sha1:b' }],
      ['0 main@sha1:a sha256:a'],
    ],
    ['before the last are none', [{ end: start + second }, { end: start }], ['1 main@sha1:a sha256:a']],
  ])('passes that are %s', (_case, passes, expected) => {
    let memory: CorrectionMemory | null = null;
    for (const pass of passes) memory = corrections('flux', memory, null, passed(pass), start)?.memory ?? null;
    expect(memory?.passes.map(({ at, applied, digest }) => `${(at - start) / second} ${applied} ${digest}`)).toEqual(
      expected,
    );
  });

  it('of another kind is none: nothing is remembered of it', () => {
    const repository = observed({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: 'x', namespace: 'apps' },
    });
    const kept = { ...noCorrections, run: { count: 2, at: start } };
    expect(corrections('flux', null, drift, repository, start)).toEqual({ memory: noCorrections, correction: null });
    expect(corrections('flux', kept, null, repository, start)).toEqual({ memory: kept, correction: null });
  });

  it('that follows others pass on pass is contested, by the interval of its object', () => {
    const memory = {
      ...noCorrections,
      passes: [{ at: start, applied: 'main@sha1:a', digest: 'sha256:a', generation: 1 }],
    };
    // The interval is a minute: within 2.5 of them a correction follows the ones before.
    for (const [before, certainty] of [
      [150 * second, 'contested'],
      [151 * second, 'confirmed'],
    ] as const) {
      const run = { count: 2, at: start + 59 * second - before };
      const claimed = corrections('flux', { ...memory, run }, drift, a0, start)?.memory ?? null;
      expect(corrections('flux', claimed, null, a1, start)?.correction?.certainty).toBe(certainty);
    }
  });

  it('seen for the first time is probable, by the dates of the history', () => {
    expect(run([[drift, a1]])).toBe('probable 1');
    expect(run([[configured(start, 'main@sha1:a'), a1]])).toBe('');
  });

  it('before Flux 2.7 is probable with an unchanged generation', () => {
    const old = (end: number, generation = 1): Observation => passed({ end, generation, history: false });
    expect(
      run([
        [null, old(start)],
        [drift, old(start)],
        [null, old(start + 60 * second)],
      ]),
    ).toBe('probable 1');
    expect(
      run([
        [null, old(start)],
        [drift, old(start)],
        [null, old(start + 60 * second, 2)],
      ]),
    ).toBe('');
  });

  it('of a repeated Event is counted by its difference; its annotation is that of the first and is not asked', () => {
    const at = (n: number): number => start + n * 60 * second;
    const pass = (n: number): Observation => passed({ end: at(n), revision: 'main@sha1:b' });
    const event = (count: number, n: number): ObservedEvent =>
      configured(at(n) - second, 'main@sha1:a', { uid: 'series', count });
    expect(
      run([
        [null, pass(0)],
        [event(7, 1), pass(0)],
        [null, pass(1)],
        [event(12, 6), pass(5)],
        [null, pass(6)],
      ]),
    ).toBe('confirmed 1, contested 5');
  });

  it('the same Event listed again is not counted again', () => {
    expect(
      run([
        [null, a0],
        [drift, a0],
        [null, a1],
        [drift, a1],
        [null, a1],
      ]),
    ).toBe('confirmed 1');
  });

  describe('whose Event is of the second in which a pass had ended before it was heard', () => {
    const quiet = passed({ end: start + 120 * second });
    const b = (end: number): Observation =>
      passed({ end, revision: 'main@sha1:b', digest: 'sha256:b', first: start + 120 * second });
    // The recorder takes a second "configured" for a repetition of the first: its annotations stay those of that one.
    const series = (count: number, at: number): ObservedEvent =>
      configured(at, 'main@sha1:a', { uid: 'series', count });
    const known: readonly (readonly [ObservedEvent | null, Observation])[] = [
      [series(1, start - 5 * second), a0],
      [null, a1],
      [null, quiet],
    ];

    it('is none where the next pass applied a new commit', () => {
      expect(run([...known, [series(2, start + 120 * second), quiet], [null, b(start + 121 * second)]])).toBe('');
    });

    it('is none where the pass that had ended applied the new commit', () => {
      const changed = b(start + 120 * second);
      const after = b(start + 180 * second);
      expect(
        run([
          [null, a0],
          [null, changed],
          [configured(start + 120 * second, 'main@sha1:b'), changed],
        ]),
      ).toBe('');
      expect(
        run([
          [null, a0],
          [null, changed],
          [series(2, start + 120 * second), changed],
          [null, after],
        ]),
      ).toBe('');
    });

    it('is none where both passes ended in that second', () => {
      const same = b(start + 120 * second);
      expect(
        run([...known, [series(2, start + 120 * second), quiet], [null, same], [null, b(start + 180 * second)]]),
      ).toBe('');
    });

    it('is confirmed once the next pass shows that the content is what it was in either', () => {
      const received = [...known, [series(2, start + 120 * second), quiet]] as const;
      expect(run(received)).toBe('');
      expect(run([...received, [null, passed({ end: start + 180 * second })]])).toBe('confirmed 1');
    });
  });

  it('is none where content went back to what it was before a pass that ended in the same second', () => {
    const b = passed({ end: start, revision: 'main@sha1:b', digest: 'sha256:b' });
    const back = passed({ end: start + 60 * second, revision: 'main@sha1:c' });
    expect(
      run([
        [null, a0],
        [null, b],
        [configured(start + 59 * second, 'main@sha1:c'), b],
        [null, back],
      ]),
    ).toBe('');
  });
});
