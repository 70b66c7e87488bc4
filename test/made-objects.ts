/** An object as its controller's sources say that it may stand there, and the categories of its kind. */
export interface MadeObject {
  readonly object: object;
  readonly categories: readonly string[];
}

const time = '2026-11-21T08:00:00Z';
const metadata = { name: 'x', generation: 2, creationTimestamp: time };

function condition(type: string, status: string, reason: string, message = 'as it says'): object {
  return { type, status, reason, message, observedGeneration: 2, lastTransitionTime: time };
}

const synced = condition('Synced', 'True', 'ReconcileSuccess');
const ready = condition('Ready', 'True', 'Available');

type Row = readonly [name: string, made: MadeObject];

interface Parts {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly conditions?: readonly object[];
}

function made(parts: Parts, categories: readonly string[]): MadeObject {
  const { conditions = [synced, ready], status, ...rest } = parts;
  return {
    object: { spec: {}, ...rest, metadata: { ...metadata, ...parts.metadata }, status: { conditions, ...status } },
    categories,
  };
}

const managed = (parts: Parts): MadeObject =>
  made({ apiVersion: 's3.aws.upbound.io/v1beta2', kind: 'Bucket', ...parts }, ['managed']);
const composite = (parts: Parts): MadeObject =>
  made({ apiVersion: 'acme.org/v1', kind: 'XBucket', ...parts }, ['composite']);
const claim = (parts: Parts): MadeObject => made({ apiVersion: 'acme.org/v1', kind: 'Bucket', ...parts }, ['claim']);
const pkg = (kind: string, parts: Parts): MadeObject =>
  made({ apiVersion: 'pkg.crossplane.io/v1', kind, ...parts }, []);

const owner = { apiVersion: 'acme.org/v1', kind: 'XBucket', name: 'x', controller: true };
const paused = { annotations: { 'crossplane.io/paused': 'true' } };
const policies = (...managementPolicies: string[]): Parts => ({ spec: { managementPolicies } });
const everything = ['Observe', 'Create', 'Update', 'Delete', 'LateInitialize'];
const without = (...actions: string[]): Parts => policies(...everything.filter((action) => !actions.includes(action)));
const saying = (...conditions: object[]): Parts => ({ conditions });
const installed = condition('Installed', 'True', 'ActivePackageRevision');

const ofCrossplane: readonly Row[] = [
  ['managed', managed({})],
  ['managed, paused', managed({ metadata: paused })],
  ['managed, looked at only', managed(policies('Observe'))],
  ['managed, of no policies', managed(policies())],
  ...everything.map((action) => [`managed, without ${action}`, managed(without(action))] as const),
  ['managed, without two', managed(without('Create', 'LateInitialize'))],
  ['managed, deletion declared', managed({ spec: { deletionPolicy: 'Delete' } })],
  ['managed, orphaned', managed({ spec: { deletionPolicy: 'Orphan' } })],
  ['managed, initialised', managed({ spec: { initProvider: { acl: 'private' } } })],
  ['managed, initialised with nothing', managed({ spec: { initProvider: {} } })],
  [
    'managed, polled, owned and configured',
    managed({
      metadata: {
        annotations: { 'crossplane.io/poll-interval': '5m', 'crossplane.io/external-name': 'logs' },
        ownerReferences: [owner],
      },
      spec: { providerConfigRef: { name: 'aws' }, forProvider: { location: 'eu' } },
    }),
  ],
  ['managed, configured of a kind', managed({ spec: { providerConfigRef: { name: 'aws', kind: 'Other' } } })],
  [
    'managed, of a service without a family',
    managed({ apiVersion: 'sql.acme.org/v1', kind: 'Database', spec: { providerConfigRef: { name: 'aws' } } }),
  ],
  ['managed, blind', managed(saying(condition('Synced', 'False', 'ReconcileError', 'observe failed: x'), ready))],
  [
    'managed, not there',
    managed(saying(condition('Synced', 'False', 'ReconcileError', 'observe failed: external resource does not exist'))),
  ],
  ['managed, Synced not known', managed(saying(condition('Synced', 'Unknown', 'Later'), ready))],
  ['managed, Ready not known', managed(saying(synced, condition('Ready', 'Unknown', 'Later')))],
  ['managed, Ready alone', managed(saying(ready))],
  [
    'managed, paused before it was ready',
    managed({ metadata: paused, ...saying(condition('Synced', 'False', 'ReconcilePaused')) }),
  ],
  ['managed, resumed before it was ready', managed(saying(condition('Synced', 'False', 'ReconcilePaused')))],
  [
    'managed, resumed while it was made',
    managed(saying(condition('Synced', 'False', 'ReconcilePaused'), condition('Ready', 'False', 'Creating'))),
  ],
  [
    'managed, an operation that failed',
    managed(saying(synced, ready, condition('LastAsyncOperation', 'False', 'ApplyFailure'))),
  ],
  ...(['True', 'False', 'Unknown'] as const).flatMap((status) =>
    ['UpdateRequested', 'UpdateFailed', 'Other'].map(
      (reason) =>
        [
          `managed, UpToDate=${status} ${reason}`,
          managed(saying(synced, ready, condition('UpToDate', status, reason))),
        ] as const,
    ),
  ),
  [
    'managed, UpToDate not known and no word',
    managed(saying(synced, ready, condition('UpToDate', 'Unknown', 'Other', ''))),
  ],
  ['managed, conditions that are no list', managed({ status: { conditions: {} } })],
  ['managed, a condition without a type', managed(saying({ status: 'True' }))],
  [
    'managed, a condition without a reason',
    managed(saying({ type: 'Synced', status: 'True' }, { type: 'Ready', status: 'True' })),
  ],
  ['managed, a condition of another status', managed(saying(condition('Ready', 'Maybe', 'X')))],
  [
    'composite',
    composite({
      metadata: { annotations: { 'crossplane.io/poll-interval': '5m' }, ownerReferences: [owner] },
      spec: {
        resourceRefs: [
          { apiVersion: 'v1', kind: 'Secret', name: 'a' },
          { apiVersion: 'v1', kind: 'Secret', name: '' },
          { name: 'b' },
        ],
      },
    }),
  ],
  ['composite, paused', composite({ metadata: paused })],
  ['composite, by hand', composite({ spec: { compositionUpdatePolicy: 'Manual' } })],
  ['composite, of v2, by hand', composite({ spec: { crossplane: { compositionUpdatePolicy: 'Manual' } } })],
  ['composite, by itself', composite({ spec: { compositionUpdatePolicy: 'Automatic' } })],
  ['composite, failing', composite(saying(condition('Synced', 'False', 'ReconcileError'), ready))],
  [
    'composite, failing and cut off',
    composite(
      saying(condition('Synced', 'False', 'ReconcileError'), condition('Responsive', 'False', 'WatchCircuitOpen')),
    ),
  ],
  ['composite, cut off', composite(saying(synced, ready, condition('Responsive', 'False', 'WatchCircuitOpen')))],
  ['claim', claim({})],
  ['claim, made', claim({ spec: { resourceRef: { apiVersion: 'acme.org/v1', kind: 'XBucket', name: 'x' } } })],
  ['claim, waiting', claim(saying(synced, condition('Ready', 'False', 'Waiting')))],
  [
    'claim, failing',
    claim(saying(condition('Synced', 'False', 'ReconcileError'), condition('Ready', 'False', 'Waiting'))),
  ],
  ['claim, unhealthy', claim(saying(synced, condition('Ready', 'False', 'Broken')))],
  [
    'provider',
    pkg('Provider', {
      spec: { package: 'xpkg.example.org/p:v1' },
      conditions: [installed],
      status: { currentIdentifier: 'xpkg.example.org/p:v0' },
    }),
  ],
  [
    'provider, by digest and hand',
    pkg('Provider', {
      spec: { package: 'xpkg.example.org/p@sha256:aa', revisionActivationPolicy: 'Manual' },
      conditions: [installed],
    }),
  ],
  ['provider, paused', pkg('Provider', { metadata: paused, conditions: [installed] })],
  ['provider, nothing yet', pkg('Provider', { conditions: [] })],
  ['provider, of other conditions', pkg('Provider', { conditions: [ready] })],
  [
    'provider, waiting to be activated',
    pkg('Provider', { conditions: [condition('Installed', 'False', 'AwaitingActivation')] }),
  ],
  [
    'provider revision',
    pkg('ProviderRevision', {
      spec: { image: 'xpkg.example.org/p:v1', desiredState: 'Active' },
      conditions: [condition('RevisionHealthy', 'True', 'Healthy'), condition('RuntimeHealthy', 'True', 'Healthy')],
      status: {
        objectRefs: [
          { kind: 'CustomResourceDefinition', name: 'a.b' },
          { kind: 'CustomResourceDefinition', name: 'a.b' },
          { kind: 'Secret', name: 'c' },
        ],
      },
    }),
  ],
  [
    'provider revision, unhealthy',
    pkg('ProviderRevision', { conditions: [condition('RevisionHealthy', 'False', 'Unhealthy')] }),
  ],
  ...(['True', 'False', 'Unknown'] as const).flatMap((status) =>
    ['Established', 'Offered'].map(
      (type) =>
        [
          `definition, ${type}=${status}`,
          made(
            {
              apiVersion: 'apiextensions.crossplane.io/v2',
              kind: 'CompositeResourceDefinition',
              metadata: paused,
              conditions: [condition('Established', 'True', 'Watching'), condition(type, status, 'Other')].slice(
                type === 'Offered' ? 0 : 1,
              ),
            },
            [],
          ),
        ] as const,
    ),
  ),
  [
    'definition, terminating',
    made(
      {
        apiVersion: 'apiextensions.crossplane.io/v2',
        kind: 'CompositeResourceDefinition',
        conditions: [condition('Established', 'False', 'TerminatingCompositeResource')],
      },
      [],
    ),
  ],
];

const url = 'https://git.example.org/apps';
const commit = 'a'.repeat(40);
const healing = { automated: { prune: true, selfHeal: true } };

function application(status: object, spec: object = {}): MadeObject {
  const source = { repoURL: url, targetRevision: commit, path: './web' };
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'web' };
  const whole = { source, destination, syncPolicy: healing, ...spec };
  return {
    object: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec: whole, status },
    categories: [],
  };
}

const inSync = { sync: { status: 'Synced', revision: commit }, health: { status: 'Healthy' } };
const outOfSync = { ...inSync, sync: { status: 'OutOfSync', revision: commit } };
const resources = Array.from({ length: 12 }, (_, n) => ({ kind: 'ConfigMap', name: `c${n}`, status: 'OutOfSync' }));

/** The state of an operation of self-heal that ended, with what it says of each resource. */
function healed(changed: readonly object[], part: object = {}): object {
  const operation = { initiatedBy: { automated: true }, sync: { resources: [{ kind: 'ConfigMap', name: 'a' }] } };
  const syncResult = { revision: commit, resources: changed };
  const times = { startedAt: '2026-11-21T07:59:58Z', finishedAt: time };
  return {
    ...inSync,
    reconciledAt: '2026-11-21T08:00:09Z',
    operationState: { phase: 'Succeeded', ...times, operation, syncResult, ...part },
  };
}

const done = (revision: string, phase: string): object => ({ phase, message: 'as it ended', syncResult: { revision } });

const ofArgo: readonly Row[] = [
  ['application', application(inSync)],
  ...['Healthy', 'Progressing', 'Degraded', 'Missing', 'Suspended', 'Unknown'].map(
    (status) =>
      [`application, ${status}`, application({ ...inSync, health: { status, message: 'as it is' } })] as const,
  ),
  ...['Synced', 'OutOfSync', 'Unknown', '', 'Elsewhere'].flatMap((status) =>
    ['Running', 'Failed', 'Error', 'Succeeded', 'Terminating'].map(
      (phase) =>
        [
          `application, ${status} and ${phase}`,
          application({ ...inSync, sync: { status, revision: commit }, operationState: done(commit, phase) }),
        ] as const,
    ),
  ),
  ...['ComparisonError', 'InvalidSpecError', 'SyncError', 'DeletionError', 'UnknownError', 'SharedResourceWarning'].map(
    (type) =>
      [
        `application, ${type}`,
        application({ ...inSync, conditions: [{ message: 'no type' }, { type, lastTransitionTime: time }] }),
      ] as const,
  ),
  [
    'application, tried again',
    application({ ...outOfSync, operationState: { ...done(commit, 'Running'), retryCount: 1 } }),
  ],
  [
    'application, tried at first',
    application({ ...outOfSync, operationState: { ...done(commit, 'Running'), retryCount: 0 } }),
  ],
  ['application, of a newer commit', application({ ...outOfSync, operationState: done('b'.repeat(40), 'Succeeded') })],
  ['application, drifted', application({ ...outOfSync, operationState: done(commit, 'Failed'), resources })],
  [
    'application, ten drifted',
    application({ ...outOfSync, operationState: done(commit, 'Succeeded'), resources: resources.slice(0, 10) }),
  ],
  [
    'application, eleven drifted',
    application({ ...outOfSync, operationState: done(commit, 'Succeeded'), resources: resources.slice(0, 11) }),
  ],
  [
    'application, drifted and nameless',
    application({ ...outOfSync, operationState: done(commit, 'Succeeded'), resources: [{ status: 'OutOfSync' }] }),
  ],
  ['application, nobody syncs', application({ ...outOfSync, resources: [] }, { syncPolicy: {} })],
  ['application, no revision', application({ sync: { status: 'OutOfSync', revision: '' } })],
  [
    'application, healed',
    application(
      healed([
        { kind: 'ConfigMap', namespace: 'web', name: 'a', message: 'configmap/a configured' },
        { kind: 'Namespace', name: 'b', message: 'namespace/b created' },
        { kind: 'Secret', name: 'c' },
        { kind: 'Secret', name: 'd', message: 'secret/d unchanged' },
      ]),
    ),
  ],
  ['application, healed of many', application(healed(resources))],
  ['application, healed at no time', application(healed(resources, { finishedAt: undefined }))],
  ['application, healed from no time on', application(healed(resources.slice(0, 1), { startedAt: undefined }))],
  ['application, not healed', application(healed(resources, { phase: 'Failed' }))],
  [
    'application, of resources',
    application({
      ...inSync,
      resources: [
        { kind: 'ConfigMap', name: 'a' },
        { kind: 'ConfigMap', namespace: 'web', name: 'b', status: 'OutOfSync', health: { status: 'Degraded' } },
        { kind: 'ConfigMap', name: 'c', health: { status: 'Missing' } },
        { kind: 'ConfigMap', name: 'd', status: 'OutOfSync' },
        { kind: 'ConfigMap' },
        { name: 'e' },
        { group: 'batch', kind: 'Job', name: 'f', hook: true },
      ],
    }),
  ],
  ['application, of no revision', application(inSync, { source: { repoURL: url } })],
  ['application, of any chart', application(inSync, { source: { repoURL: url, chart: 'web' } })],
  ['application, of no source', application(inSync, { source: undefined })],
  [
    'application, made anew',
    application(inSync, { syncPolicy: { ...healing, syncOptions: ['Replace=true', 'Prune=true', 'Force=true'] } }),
  ],
  ...[
    { name: 'in-cluster' },
    { name: 'far' },
    { name: '' },
    {},
    { server: '', name: 'far' },
    { server: 'https://10.0.0.1' },
  ].map(
    (destination) =>
      [
        `application, to ${JSON.stringify(destination)}`,
        application({ ...inSync, resources: [{ kind: 'Namespace', name: 'a' }] }, { destination }),
      ] as const,
  ),
  ...[
    'Deployment/web is part of applications argocd/a and b',
    'Deployment/web is part of applications argocd/a',
    'all is well',
  ].map(
    (message) =>
      [
        `application, ${message}`,
        application({ ...inSync, conditions: [{ type: 'SharedResourceWarning', message }] }),
      ] as const,
  ),
];

/** Objects as the sources of their controllers say that they may stand there, by kind: a plain one first, then each that is unlike it. */
export const madeObjects = Object.fromEntries(
  Map.groupBy([...ofCrossplane, ...ofArgo], ([name]) => name.split(', ')[0] ?? ''),
);
