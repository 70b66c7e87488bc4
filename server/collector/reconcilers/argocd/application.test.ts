import { describe, expect, it } from 'vitest';
import type { Observation } from '#lib/domain/observation.ts';
import { observed } from '../testing.ts';

const healing = { syncPolicy: { automated: { prune: true, selfHeal: true } } };

function application(status: object, spec: object = healing, metadata: object = {}): Observation {
  const source = { repoURL: 'https://u:canary@git.example.org/acme/apps', path: './web', targetRevision: 'main' };
  return observed({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd', ...metadata },
    spec: { source, destination: { server: 'https://kubernetes.default.svc', namespace: 'web' }, ...spec },
    status,
  });
}

const synced = { status: 'Synced', revision: 'bbb' };
const out = { status: 'OutOfSync', revision: 'bbb' };

describe('Argo CD Application', () => {
  it.each<readonly [string, object, object, string, string]>([
    ['well', { sync: synced, health: { status: 'Healthy' } }, healing, 'good', 'none'],
    [
      'out of sync without automation is drift left in place',
      { sync: out, health: { status: 'Healthy' } },
      {},
      'good',
      'found',
    ],
    [
      'automated without selfHeal too',
      { sync: out, health: { status: 'Healthy' } },
      { syncPolicy: { automated: {} } },
      'good',
      'found',
    ],
    [
      'automated that is switched off too',
      { sync: out, health: { status: 'Healthy' } },
      { syncPolicy: { automated: { selfHeal: true, enabled: false } } },
      'good',
      'found',
    ],
    [
      'out of sync with selfHeal is about to be undone',
      { sync: out, health: { status: 'Healthy' } },
      healing,
      'busy',
      'none',
    ],
    [
      'its last sync failed',
      { sync: out, operationState: { phase: 'Failed', message: 'x' } },
      healing,
      'bad apply',
      'none',
    ],
    ['an operation runs', { sync: out, operationState: { phase: 'Running' } }, {}, 'busy', 'found'],
    ['degraded', { sync: synced, health: { status: 'Degraded' } }, healing, 'bad health', 'none'],
    ['missing', { sync: synced, health: { status: 'Missing' } }, healing, 'bad health', 'none'],
    ['health on its way', { sync: synced, health: { status: 'Progressing' } }, healing, 'busy', 'none'],
    ['could not be compared', { sync: { status: 'Unknown' } }, healing, 'bad observe', 'not-measured'],
    [
      'ComparisonError',
      { sync: synced, conditions: [{ type: 'ComparisonError', message: 'x' }] },
      healing,
      'bad observe',
      'none',
    ],
    [
      'InvalidSpecError',
      { conditions: [{ type: 'InvalidSpecError', message: 'x' }] },
      healing,
      'bad apply',
      'not-measured',
    ],
    [
      'a warning is no failure',
      { sync: synced, health: { status: 'Healthy' }, conditions: [{ type: 'OrphanedResourceWarning' }] },
      healing,
      'good',
      'none',
    ],
    ['nothing yet', {}, healing, 'nothing', 'not-measured'],
  ])('%s', (_case, status, spec, words, drift) => {
    const { word, drift: found } = application(status, spec);
    expect(word.said === 'bad' ? `bad ${word.fault}` : word.said).toBe(words);
    expect(found.drift).toBe(drift);
  });

  it('runs what was synced last, not what is compared', () => {
    const status = {
      sync: out,
      operationState: { phase: 'Succeeded', syncResult: { revision: 'aaa' } },
      reconciledAt: '2026-11-21T08:00:00Z',
    };
    expect(application(status)).toMatchObject({
      revisions: { applied: 'aaa', attempted: 'bbb' },
      passes: { last: Date.parse('2026-11-21T08:00:00Z') },
    });
    const failed = {
      sync: out,
      operationState: { phase: 'Failed', syncResult: { revision: 'bbb' } },
      history: [{ revision: 'a0' }, { revision: 'aaa' }],
    };
    expect(application(failed).revisions.applied).toBe('aaa');
  });

  it('points to its repository without user information', () => {
    const observation = application({});
    expect(observation).toMatchObject({
      target: { url: 'https://git.example.org/acme/apps', reference: 'main', floating: true },
      path: 'web',
    });
    expect(JSON.stringify(observation)).not.toContain('canary');
  });

  it('what it applies is an inventory here, or elsewhere', () => {
    const status = {
      resources: [
        { group: 'apps', kind: 'Deployment', namespace: 'web', name: 'web' },
        { kind: 'Namespace', name: 'web' },
      ],
    };
    expect(application(status).inventory).toEqual(['web_web_apps_Deployment', '_web__Namespace']);
    const far = application(status, { destination: { server: 'https://10.0.0.1' } });
    expect(far).toMatchObject({ inventory: [], remote: true });
  });

  it('is switched off by skip-reconcile', () => {
    const off = application(
      {},
      { ignoreDifferences: [{ kind: 'X' }] },
      { annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } },
    );
    expect(off.suspended?.field).toBe('metadata.annotations[argocd.argoproj.io/skip-reconcile]');
    expect(off.exemptions[0]).toMatchObject({
      kind: 'suspended',
      meaning: 'changes in git do not arrive, drift is not undone',
    });
  });
});

describe('what another Application has as well', () => {
  it.each([
    [
      'Secret/nextcloud-db is part of applications argocd/nextcloud and databases',
      [['Secret', 'nextcloud-db', 'databases']],
    ],
    ['Deployment/web is part of applications argocd/a and b and more', []],
    ['something else', []],
  ])('%s', (message, expected) => {
    const { rivals } = application({ conditions: [{ type: 'SharedResourceWarning', message }] });
    expect(rivals.map((rival) => (rival.type === 'shared' ? [rival.kind, rival.name, ...rival.others] : []))).toEqual(
      expected,
    );
  });
});
