// API servers that say ever other things, or as many as they may: what they cost must not grow with what they have said before.
import { discoveryOf, floods, kustomization, listOf, lists, type Asked, type Sickness } from './answers.ts';

const longAgo = '2026-11-21T08:00:00Z';

/** As many kinds as a cluster may serve, all of them others in each answer. */
export function newKinds(count: number): Sickness {
  let round = 0;
  return ({ path, json }) => {
    if (path !== '/apis') return false;
    round += 1;
    const own = `${round}x`;
    const words = 'Thing '.repeat(40);
    json(200, discoveryOf(count).replaceAll('"Thing', `"${words}${own}`).replaceAll('"thing', `"thing${own}`));
    return true;
  };
}

/** An inventory of as many kinds as it has ids, all of them others each time. */
export function newListedKinds(ids: number): Sickness {
  const group = 'g'.repeat(200);
  return floods((number) => {
    const entries = Array.from({ length: ids }, (_, n) => `{"id":"a_b_${number}.${n}.${group}_K","v":"v1"}`);
    const object = JSON.stringify(kustomization('k', number + 3));
    const status = `"status":{"inventory":{"entries":[${entries.join(',')}]},`;
    return `{"type":"MODIFIED","object":${object.replace('"status":{', status)}}`;
  });
}

/** So many Kustomizations, each of which depends on as many others as one may name, on others each time. */
export function newDependencies(objects: number, count: number): Sickness {
  const namespace = 'n'.repeat(60);
  const text = (number: number): string => {
    const named = Array.from({ length: count }, (_, n) => ({
      ...{ namespace: `${namespace}-${n}`, name: `on-${'x-y'.repeat(60)}-${number}-${n}` },
    }));
    const spec = `"spec":{"dependsOn":${JSON.stringify(named)},`;
    return JSON.stringify(kustomization(`k-${number % objects}`, number + 3)).replace('"spec":{', spec);
  };
  return floods((number) => `{"type":"MODIFIED","object":${text(number)}}`);
}

/** A kind, and how many objects of it there are. */
interface Many {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly count: number;
}

/** A kind that is read in pages of `item`, and written by `event`, again and again; null for never. */
function listed(path: string, count: number, item: (number: number) => string, event: (() => string) | null): Sickness {
  return ({ path: asked, query, json, pour }) => {
    if (asked !== path) return false;
    if (query.get('sendInitialEvents') === 'true')
      json(400, '{"kind":"Status","code":400,"message":"sendInitialEvents"}');
    else if (query.get('watch') === 'true') pour(() => event?.() ?? null);
    else {
      const from = Number(query.get('continue') ?? '0');
      const items = Array.from({ length: Math.min(500, count - from) }, (_, n) => item(from + n));
      const next = from + 500 < count ? String(from + 500) : '';
      json(200, listOf(items.join(), next).replace('KustomizationList', 'List'));
    }
    return true;
  };
}

/** So many objects of a kind of Crossplane, then each of them again and again; `part` is told how often. */
function crossplaneObjects({ group, kind, plural, count }: Many, part: (number: number, version: number) => object) {
  const object = (n: number, version: number): string =>
    JSON.stringify({
      ...{ apiVersion: `${group}/v1`, kind },
      metadata: {
        ...{ name: `o-${n}`, uid: `0b1c2d3e-0000-4000-8000-o${n}`, resourceVersion: String(version) },
        ...{ generation: 1, creationTimestamp: longAgo },
      },
      ...part(n, version),
    });
  let number = 0;
  const event = (): string => {
    number += 1;
    return `{"type":"MODIFIED","object":${object(number % count, count + number)}}\n`;
  };
  return listed(`/apis/${group}/v1/${plural}`, count, (n) => object(n, 1), event);
}

function served(discovery: string, ...sicknesses: readonly Sickness[]): Sickness {
  return (asked: Asked) => {
    if (asked.path !== '/apis') return sicknesses.some((sickness) => sickness(asked));
    asked.json(200, discovery);
    return true;
  };
}

const revisions = { group: 'pkg.crossplane.io', kind: 'ProviderRevision', plural: 'providerrevisions' };
const healthy = [{ type: 'Healthy', status: 'True', reason: 'Healthy', lastTransitionTime: longAgo }];

function servedRevisions(count: number, part: (number: number, version: number) => object): Sickness {
  return served(discoveryOf(0, [[revisions.group, revisions.kind]]), crossplaneObjects({ ...revisions, count }, part));
}

/** Package revisions that are each of another image with each write. */
export function newImages(count: number): Sickness {
  return servedRevisions(count, (number, version) => ({
    spec: { desiredState: 'Active', image: `x.example.org/${'p'.repeat(900)}/${number}-${version}:v1` },
    status: { conditions: healthy },
  }));
}

/** Revisions of packages that each brought kinds of their own, others with each write. */
export function manyRevisions(count: number, kinds: number): Sickness {
  return servedRevisions(count, (number, version) => ({
    spec: { desiredState: 'Active', image: 'x.example.org/p:v1' },
    status: {
      objectRefs: Array.from({ length: kinds }, (_, kind) => ({
        ...{ kind: 'CustomResourceDefinition', name: `k${kind}.r${number}.v${version}` },
      })),
      conditions: healthy,
    },
  }));
}

/** Managed resources of one ProviderConfig that each fail in their own way. */
export function manyErrors(count: number): Sickness {
  // Numbers are left out where errors are compared.
  const words = (number: number): string =>
    String(number).replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const many = { group: 'many.example.org', kind: 'Thing0', plural: 'thing0s', count };
  return served(
    discoveryOf(1),
    crossplaneObjects(many, (number, version) => ({
      spec: { providerConfigRef: { name: 'default' } },
      status: {
        conditions: ['Synced', 'Ready'].map((type) => ({
          ...{ type, status: 'False', reason: 'ReconcileError', lastTransitionTime: longAgo },
          message: `cannot ${words(number)} ${words(version)}`,
        })),
      },
    })),
  );
}

function commit(letter: string, number: number): string {
  return `main@sha1:${letter}${number.toString(16).padStart(39, '0')}`;
}

/** Failures of so many pairs: each pair has a commit in common, and one of each pair has another one in common with all others. */
export function joiningFailures(pairs: number): Sickness {
  const failing = (number: number): string => {
    const pair = number < pairs ? number : 2 * pairs - 1 - number;
    const past = {
      ...{ lastReconciledStatus: 'ReconciliationSucceeded', firstReconciled: longAgo, lastReconciled: longAgo },
      ...{ totalReconciliations: 1, digest: 'sha256:aa' },
      metadata: { revision: number < pairs ? commit('a', pair) : commit('c', 0) },
    };
    const status = `"status":{"lastAttemptedRevision":"${commit('b', pair)}","history":[${JSON.stringify(past)}],`;
    return JSON.stringify(kustomization(`k-${number}`, 1, 'it cannot be applied'))
      .replace('"status":"True"', '"status":"False"')
      .replace('"reason":"ReconciliationSucceeded"', '"reason":"ReconciliationFailed"')
      .replace('"interval":"10m"', '"interval":"1h"')
      .replace(`"lastTransitionTime":"${longAgo}"`, `"lastTransitionTime":"${new Date().toISOString().slice(0, 19)}Z"`)
      .replace('"status":{', status);
  };
  const source = JSON.stringify({
    metadata: { name: 'flux-system', namespace: 'flux-system', uid: 'g', resourceVersion: '1', generation: 1 },
    spec: { url: 'https://git.example.org/x', interval: '1m', ref: { branch: 'main' } },
    status: {
      ...{ observedGeneration: 1, artifact: { revision: commit('d', 1) } },
      conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', observedGeneration: 1 }],
    },
  });
  const [group, kind] = ['source.toolkit.fluxcd.io', 'GitRepository'];
  return served(
    discoveryOf(0, [[group, kind]]),
    listed(`/apis/${group}/v1/gitrepositorys`, 1, () => source, null),
    listed(lists, 2 * pairs, failing, null),
  );
}
