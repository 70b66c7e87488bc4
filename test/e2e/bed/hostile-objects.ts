// Objects as somebody who means harm, or who does not think, writes them.

/** A script that would leave a mark on the page. */
const mark = `document.documentElement.setAttribute("data-harmed","")`;

export const markup = `<script>${mark}</script><img src="x" onerror='${mark}'><iframe src="javascript:${mark}"></iframe>&lt;b&gt;`;
export const scriptUrl = `javascript:${mark}//github.com/acme/fleet`;
/** As long as Kubernetes lets a name be. */
export const longName = `${'a-name-that-does-not-end-'.repeat(10)}`.slice(0, 252) + 'z';
export const longMessage = `${'W'.repeat(600)} ${'no blank in sight/'.repeat(150)}`;
const turned = `invoice\u202egpj.exe \u2066hidden\u2069 zero\u200bwidth\u200d\ufeff \u05d0\u05d1\u05d2 ${'\u0301'.repeat(80)}`;

/** Secrets where people have left them: each may be nowhere in what Plumbline keeps, shows or says. */
const secrets = {
  values: 'CanaryInHelmValues0x7fA1',
  substitute: 'CanaryInSubstitute0x7fA2',
  forProvider: 'CanaryInForProvider0x7fA3',
  annotation: 'CanaryInLastApplied0x7fA4',
  userInfo: 'CanaryInUserInfo0x7fA5',
  password: 'CanaryInPassword0x7fA6',
  bearer: 'CanaryInBearer0x7fA7Q9',
  query: 'CanaryInQuery0x7fA8',
  token: 'ghp_CanaryInToken0x7fA9ZZZZZZZZZZZZZZ',
} as const;
export const canaries: readonly string[] = Object.values(secrets);

const leakyMessage = `failed to fetch https://robot:${secrets.userInfo}@git.acme.example/fleet?access_token=${secrets.query}: password=${secrets.password} Authorization: Bearer ${secrets.bearer} ${secrets.token}`;

interface Planted {
  /** As the API server serves it: kustomizations.kustomize.toolkit.fluxcd.io. */
  readonly served: string;
  readonly group: string;
  readonly kind: string;
  readonly object: {
    readonly metadata: {
      readonly name: string;
      readonly namespace: string;
      readonly annotations: Record<string, string>;
    };
    readonly spec: object;
    readonly status: object;
  };
}

const at = '2026-01-02T03:04:05Z';

function condition(type: string, status: string, reason: string, message: string): object {
  return { type, status, reason, message, lastTransitionTime: at, observedGeneration: 1 };
}

function meta(name: string, namespace: string): Planted['object']['metadata'] {
  const configuration = JSON.stringify({ stringData: { key: secrets.annotation } });
  return { name, namespace, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': configuration } };
}

function kustomization(name: string, message: string, path = './apps'): Planted {
  return {
    served: 'kustomizations.kustomize.toolkit.fluxcd.io',
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    object: {
      metadata: meta(name, 'flux-system'),
      spec: {
        interval: '1m0s',
        path,
        prune: true,
        sourceRef: { kind: 'GitRepository', name: 'control-repo' },
        postBuild: { substitute: { PASSWORD: secrets.substitute } },
      },
      status: {
        observedGeneration: 1,
        lastAttemptedRevision: `main@sha1:${'0'.repeat(40)}`,
        conditions: [condition('Ready', 'False', 'BuildFailed', message)],
      },
    },
  };
}

function repository(name: string, url: string): Planted {
  return {
    served: 'gitrepositories.source.toolkit.fluxcd.io',
    group: 'source.toolkit.fluxcd.io',
    kind: 'GitRepository',
    object: {
      metadata: meta(name, 'flux-system'),
      spec: { interval: '1m0s', url, ref: { branch: 'main' } },
      status: {
        observedGeneration: 1,
        conditions: [condition('Ready', 'False', 'GitOperationFailed', leakyMessage)],
      },
    },
  };
}

/** All of them, for one cluster. */
export const hostileObjects: readonly Planted[] = [
  kustomization('markup', `${markup} ${leakyMessage}`, `./apps/${markup}`),
  kustomization('turned', turned),
  kustomization(longName, longMessage),
  repository('script', scriptUrl),
  repository('leaky', `https://robot:${secrets.userInfo}@git.acme.example/fleet.git?token=${secrets.query}`),
  {
    served: 'helmreleases.helm.toolkit.fluxcd.io',
    group: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    object: {
      metadata: meta('leaky', 'flux-system'),
      spec: {
        interval: '1m0s',
        chart: { spec: { chart: markup, version: markup, sourceRef: { kind: 'HelmRepository', name: 'acme' } } },
        values: { database: { password: secrets.values }, list: [secrets.values] },
      },
      status: {
        observedGeneration: 1,
        conditions: [condition('Ready', 'False', 'UpgradeFailed', leakyMessage)],
      },
    },
  },
  {
    served: 'buckets.s3.aws.upbound.io',
    group: 's3.aws.upbound.io',
    kind: 'Bucket',
    object: {
      metadata: meta('leaky-bucket', ''),
      spec: {
        deletionPolicy: 'Delete',
        providerConfigRef: { name: 'default' },
        forProvider: { region: 'eu-west-1', tags: { secret: secrets.forProvider } },
        initProvider: { tags: { secret: secrets.forProvider } },
      },
      status: {
        atProvider: { arn: secrets.forProvider },
        conditions: [
          condition('Synced', 'False', 'ReconcileError', `update failed: ${leakyMessage}`),
          condition('Ready', 'True', 'Available', ''),
        ],
      },
    },
  },
];
