import { expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { good, observed } from '#lib/domain/testing/observed.ts';
import { createPackageChanges } from './package-changes.ts';

const image = 'xpkg.upbound.io/upbound/provider-aws-rds';

function revision(name: string, applied: string | null, active: boolean, kind = 'ProviderRevision'): Observation {
  return observed({
    ref: { cluster: 'c1', group: 'pkg.crossplane.io', kind, namespace: '', name },
    reconciler: 'crossplane',
    role: 'package',
    summary: active ? good : { said: 'static' },
    revisions: { applied, attempted: null, artifact: null, origin: null },
  });
}

const old = (active: boolean) => revision('rds-1', `${image}:v1.2.0`, active);
const next = (active: boolean) => revision('rds-2', `${image}:v1.3.0`, active);

const cases: readonly (readonly [string, readonly Observation[], readonly string[]])[] = [
  ['the one that is active goes on', [old(true), old(true)], []],
  ['another is there, and is not active', [old(true), next(false)], []],
  ['another takes over', [old(false), next(true)], ['v1.2.0 to v1.3.0']],
  [
    'another takes over while the former still says that it is active',
    [next(true), old(true), old(false)],
    ['v1.2.0 to v1.3.0'],
  ],
  ['it is taken back', [old(false), next(true), next(false), old(true)], ['v1.2.0 to v1.3.0', 'v1.3.0 to v1.2.0']],
  ['it rests and goes on', [old(false), old(true)], []],
  ['the same tag with other content', [old(false), revision('rds-9', `${image}:v1.2.0`, true)], ['rds-1 to rds-9']],
  ['by digest', [old(false), revision('rds-9', `${image}@sha256:abc`, true)], ['v1.2.0 to sha256:abc']],
  ['another package', [revision('s3-1', 'xpkg.upbound.io/upbound/provider-aws-s3:v1.3.0', true)], []],
  ['a package of another sort by the same image', [revision('rds-2', `${image}:v1.3.0`, true, 'FunctionRevision')], []],
];

it.each(cases)('%s', (_name, observations, expected) => {
  const packages = createPackageChanges();
  packages.seen(old(true));
  packages.seen(observed());
  const facts = observations.map((observation) => packages.now(observation)).filter((fact) => fact !== null);
  expect(facts.map((fact) => (fact.type === 'package-revision' ? `${fact.from} to ${fact.to}` : ''))).toEqual(expected);
});

it('a registry with a port is no tag; the change names package and revision', () => {
  const packages = createPackageChanges();
  const at = 'registry.example.org:5000/acme/provider-x';
  packages.seen(revision('x-1', `${at}:v1`, true));
  packages.gone(revision('x-1', `${at}:v1`, true));
  expect(packages.now(revision('x-2', `${at}:v2`, true))).toEqual({
    type: 'package-revision',
    package: at,
    kind: 'ProviderRevision',
    name: 'x-2',
    from: 'v1',
    to: 'v2',
  });
});

it.each([
  [`${image}:v1`, `${image}:v2`, [image, 'v1', 'v2']],
  [`${image}:v1@sha256:aa`, `${image}:v1@sha256:bb`, [image, 'v1@sha256:aa', 'v1@sha256:bb']],
  [image, `${image}:v2`, [image, 'x-1', 'x-2']],
  [`${image}:v1`, image, [image, 'x-1', 'x-2']],
  ['host:5000/x', 'host:5000/x', ['host:5000/x', 'x-1', 'x-2']],
  ['x:v1', 'x:v2', ['x', 'v1', 'v2']],
  ['x', 'x', ['x', 'x-1', 'x-2']],
  ['host:5000/x@sha256:aa', 'host:5000/x@sha256:bb', ['host:5000/x', 'sha256:aa', 'sha256:bb']],
  [null, null, ['', 'x-1', 'x-2']],
] as const)('from %s to %s', (from, to, expected) => {
  const packages = createPackageChanges();
  packages.seen(revision('x-1', from, true));
  const fact = packages.now(revision('x-2', to, true));
  expect(fact?.type === 'package-revision' ? [fact.package, fact.from, fact.to] : null).toEqual(expected);
});

it('neither a package itself nor a revision that is no package takes the place of another', () => {
  const packages = createPackageChanges();
  for (const other of [revision('p', `${image}:v1`, true, 'Provider'), { ...old(true), role: 'claim' } as const]) {
    packages.seen(other);
    expect(packages.now({ ...other, ref: { ...other.ref, name: 'q' } })).toBeNull();
  }
});
