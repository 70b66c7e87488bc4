import { expect, it } from 'vitest';
import { withReading } from '#lib/domain/heartbeat/lease.ts';
import {
  instancesOf,
  selectorHash,
  takes,
  type Instance,
  type SeenDeployment,
  type SeenLease,
} from './controller-instances.ts';
import { shardLabel } from './watch-scope.ts';

const runs = { type: 'controller', name: 'kustomize-controller' } as const;

function lease(name: string, part: Partial<SeenLease> = {}): SeenLease {
  const track = withReading(null, { holder: 'pod', durationSeconds: 15, renewTime: 1 }, 2);
  return { namespace: 'flux-system', name, track, holder: null, transitions: 1, rememberedAs: null, ...part };
}

function deployment(part: Partial<SeenDeployment> = {}): SeenDeployment {
  return {
    namespace: 'flux-system',
    name: 'kustomize-controller',
    runs,
    state: 'available',
    version: null,
    selector: '',
    ownNamespaceOnly: false,
    elects: true,
    downSince: null,
    statusAt: null,
    readAt: 3,
    status: 'current',
    ...part,
  };
}

const alone = { namespace: 'flux-system', runs, deployment: null, hash: null, hasTwins: false };

it('has one instance for a Deployment with its lease, known by its name or by the pod that holds it', () => {
  const own = lease('kustomize-controller-leader-election');
  const provider = lease('crossplane-leader-election-x', { holder: 'provider-aws-6f7c8b9d4-x7k2p' });
  const revision = deployment({ name: 'provider-aws', runs: { type: 'revision', name: 'provider-aws' } });
  expect(instancesOf([provider, own], [deployment(), revision])).toEqual([
    { ...alone, name: 'kustomize-controller', lease: own, deployment: deployment() },
    { ...alone, name: 'provider-aws', runs: revision.runs, lease: provider, deployment: revision },
  ]);
});

it('has one for each lease of ours that no Deployment holds', () => {
  const hash = selectorHash(`${shardLabel}=a`);
  const sharded = lease(`kustomize-controller-leader-election-${hash}`);
  const remembered = lease('kustomize-controller-leader-election', { rememberedAs: 'kustomize-controller-b' });
  const twin = lease('kustomize-controller-leader-election', { namespace: 'other' });
  const provider = lease('crossplane-leader-election-x', { holder: 'provider-aws-6f7c8b9d4-x7k2p' });
  const unheld = lease('crossplane-leader-election-y');
  const foreign = lease('kube-scheduler');
  expect(instancesOf([sharded, remembered, twin, provider, unheld, foreign], [])).toEqual([
    { ...alone, name: `kustomize-controller-${hash}`, lease: sharded, hash },
    { ...alone, name: 'kustomize-controller-b', lease: remembered, hasTwins: true },
    { ...alone, namespace: 'other', name: 'kustomize-controller', lease: twin, hasTwins: true },
    { ...alone, name: 'x', runs: { type: 'revision', name: 'provider-aws' }, lease: provider },
    { ...alone, name: 'y', runs: { type: 'controller', name: 'y' }, lease: unheld },
  ]);
});

const unsharded = selectorHash(`!${shardLabel}`);
const shardA = selectorHash(`${shardLabel}=a`);

it.each<[string, Partial<Instance>, string | null, string, ReturnType<typeof takes>]>([
  ['a lease without a hash takes everything', {}, 'a', 'other', 'yes'],
  ['one beside twins surely takes what is in its namespace', { hasTwins: true }, 'a', 'flux-system', 'yes'],
  ['and maybe what is in another', { hasTwins: true }, 'a', 'other', 'maybe'],
  ['the hash of no shard takes what is of none', { hash: unsharded }, null, 'other', 'yes'],
  ['and nothing of a shard', { hash: unsharded }, 'a', 'other', 'no'],
  ['also beside twins', { hash: unsharded, hasTwins: true }, 'a', 'other', 'no'],
  ['the hash of a shard takes what is of it', { hash: shardA }, 'a', 'other', 'yes'],
  ['and maybe what is of another', { hash: shardA }, 'b', 'other', 'maybe'],
  ['or of none', { hash: shardA }, null, 'other', 'maybe'],
  ['a Deployment takes what its selector tells', { deployment: deployment() }, 'a', 'other', 'yes'],
  [
    'a Deployment for one shard takes nothing of another',
    { deployment: deployment({ selector: `${shardLabel}=a` }) },
    'b',
    'other',
    'no',
  ],
  [
    'a Deployment for its own namespace takes what is in it',
    { deployment: deployment({ ownNamespaceOnly: true }) },
    null,
    'flux-system',
    'yes',
  ],
  ['and nothing of another', { deployment: deployment({ ownNamespaceOnly: true }) }, null, 'other', 'no'],
])('%s', (_what, part, shard, namespace, expected) => {
  const instance: Instance = { ...alone, name: 'kustomize-controller', lease: null, ...part };
  expect(takes(instance, { namespace, shard })).toBe(expected);
});
