import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { emptyObservation } from '#lib/domain/observation/observation.ts';
import { noon } from '#lib/domain/testing/observed.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import { createWritten } from '../changes/written.ts';
import { startClusterModel } from '../cluster-model.ts';
import { declaredObservation, watchedStacks } from './declared.ts';

const stack: DeclaredStack = {
  name: 'dns',
  tool: 'ansible',
  row: 'network',
  labels: {},
  repository: null,
  path: null,
  reason: null,
};

function why(part: Partial<DeclaredStack>): string {
  const { summary } = declaredObservation({ ...stack, ...part }, noon);
  return summary.said === 'unreported' ? summary.why : '';
}

it('is of a kind that no API server knows', () => {
  expect(watchedStacks).toEqual({
    group: 'declared',
    kind: 'Stack',
    version: '',
    resource: 'stacks',
    namespaced: false,
    categories: [],
  });
});

it('is an observation in which nothing is said', () => {
  const { resourceVersion, ...told } = declaredObservation(stack, noon);
  expect(resourceVersion).toMatch(/^[0-9a-f]{40}$/);
  const { resourceVersion: _none, ...empty } = emptyObservation;
  expect(told).toEqual({
    ...empty,
    ref: { cluster: 'network', group: 'declared', kind: 'Stack', namespace: '', name: 'dns' },
    reconciler: 'none',
    role: 'declared',
    version: '',
    uid: 'declared/dns',
    createdAt: noon,
    summary: { said: 'unreported', why: 'Ansible runs only when somebody runs it' },
    drift: { drift: 'not-measured', why: 'no loop compares it' },
    path: null,
    target: null,
  });
  expect(declaredObservation({ ...stack, reason: 'x' }, noon).resourceVersion).not.toBe(resourceVersion);
});

it('tells where its code lies, without what is secret', () => {
  const one = declaredObservation(
    { ...stack, repository: 'https://u:p@git.example.org/a.git', path: './infra/' },
    noon,
  );
  expect([one.path, one.target]).toEqual([
    'infra',
    { url: 'https://git.example.org/a.git', reference: 'as plumbline.yaml names it', floating: false },
  ]);
});

it.each<[DeclaredStack['tool'], string]>([
  ['terraform', 'Terraform runs only when somebody runs it'],
  ['opentofu', 'OpenTofu runs only when somebody runs it'],
  ['cdk', 'the AWS CDK deploys only when somebody runs it'],
  ['pulumi', 'Pulumi without its operator runs only when somebody runs it'],
  ['ansible', 'Ansible runs only when somebody runs it'],
  ['other', 'nothing on a cluster reconciles it'],
])('of %s says why nothing reports on it', (tool, expected) => {
  expect(why({ tool })).toBe(expected);
  expect(why({ tool, reason: 'it is old. ' })).toBe(`${expected} (it is old)`);
});

it.each([
  [300, true],
  [301, false],
])('keeps a reason of %i characters whole: %s', (length, whole) => {
  const reason = 'x '.repeat(length).slice(0, length - 1) + 'x';
  expect(why({ reason }).endsWith(` (${reason})`)).toBe(whole);
});

it('is recorded at once with the row that it stands in, kept over a restart, and gone once it is declared no more', () => {
  const run = (stacks: readonly DeclaredStack[], restored: StoredClusterState | null, start: number) => {
    const clock = fakeClock(start);
    const batches: WriteBatch[] = [];
    const store = createWritten(restored);
    const model = startClusterModel({
      cluster: 'network',
      labels: {},
      policy: defaultPolicy,
      clock,
      restored,
      keepMessages: true,
      stacks,
      write(batch) {
        batches.push(batch);
        store.take(batch);
      },
    });
    model.take({ type: 'no-cluster', at: clock.now() });
    clock.advance(10_000);
    model.stop();
    return { batches, stored: { cluster: model.cluster(), objects: store.state().objects, resume: [] } };
  };
  const first = run([stack, { ...stack, name: 'dhcp' }], null, noon);
  expect(first.stored.objects.map(({ object }) => [object.ref.name, object.onset])).toEqual(
    ['dns', 'dhcp'].map((name) => [name, expect.objectContaining({ bound: 'at-least' })]),
  );
  const second = run([stack], first.stored, noon + 60_000);
  expect(second.stored.objects.map(({ object }) => object.ref.name)).toEqual(['dns']);
  expect(second.batches.flatMap(({ removed }) => removed.map(({ ref }) => ref.name))).toEqual(['dhcp']);
  expect(second.batches.flatMap(({ transitions }) => transitions.map(({ ref }) => ref.name))).toEqual(['dhcp']);
  expect(second.batches.flatMap(({ changes }) => changes)).toMatchObject([
    { at: noon + 60_000, ref: { name: 'dhcp' }, fact: { type: 'deleted' } },
  ]);
});
