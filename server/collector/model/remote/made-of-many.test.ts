import { expect, it } from 'vitest';
import { createUnpackedCache } from '../objects/unpacked-cache.ts';
import { startBed } from '../testing/bed.ts';
import { kinds, ready, revision, rfc3339 } from '../testing/objects.ts';

const extensions = 'source.extensions.fluxcd.io';
const namespaced = { namespaced: true, categories: [] };
const generators = {
  ...namespaced,
  group: extensions,
  kind: 'ArtifactGenerator',
  version: 'v1beta1',
  resource: 'artifactgenerators',
};
const artifacts = { ...namespaced, ...kinds.gitRepository, kind: 'ExternalArtifact', resource: 'externalartifacts' };

/** More than are kept of one generator. */
const many = 300;

it('looks at what is made of the same sources many times over once, and tells its commit', () => {
  const bed = startBed(null, undefined, undefined, createUnpackedCache());
  const now = bed.clock.now();
  const conditions = [ready('True', 'Succeeded', now)];
  const status = { manager: 'controller', operation: 'Update', subresource: 'status', fieldsType: 'FieldsV1' };
  const managedFields = [{ ...status, time: rfc3339(now), fieldsV1: { 'f:status': {} } }];
  const stored = { ...ready('True', 'Succeeded', now), type: 'ArtifactInStorage' };
  const made = (level: number): string => `latest@sha256:${String(level).repeat(64)}`;
  const generator = (level: number) => {
    const source =
      level === 1
        ? { kind: 'GitRepository', name: 'control' }
        : { kind: 'ExternalArtifact', name: `made-${level - 1}` };
    const sources = Array.from({ length: many }, (_, index) => ({ alias: `alias-${index}`, ...source }));
    const inventory = [{ name: `made-${level}`, namespace: 'flux-system' }];
    return bed.object(generators, `maker-${level}`, {
      managedFields,
      spec: { sources },
      status: { observedGeneration: 1, conditions, inventory },
    });
  };
  const artifact = (level: number) =>
    bed.object(artifacts, `made-${level}`, {
      managedFields,
      spec: { sourceRef: { apiVersion: `${extensions}/v1beta1`, kind: 'ArtifactGenerator', name: `maker-${level}` } },
      status: { artifact: { revision: made(level) }, conditions: [...conditions, stored] },
    });
  const control = bed.object(kinds.gitRepository, 'control', {
    spec: { url: 'https://git.example.org/acme/control' },
    status: { observedGeneration: 1, artifact: { revision: revision('a') }, conditions: [...conditions, stored] },
  });
  const app = bed.object(kinds.kustomization, 'app', {
    spec: { sourceRef: { kind: 'ExternalArtifact', name: 'made-3' }, interval: '10m' },
    status: { observedGeneration: 1, lastAppliedRevision: made(3), lastAttemptedRevision: made(3), conditions },
  });
  bed.open([
    [kinds.gitRepository, control],
    [generators, ...[1, 2, 3].map(generator)],
    [artifacts, ...[1, 2, 3].map(artifact)],
    [kinds.kustomization, app],
  ]);
  expect(bed.at('app')).toMatchObject({ commit: 'a'.repeat(40), repository: 'https://git.example.org/acme/control' });
});
