import type { ObjectRef } from '../observation/ref.ts';
import type { Wanted } from './given.ts';
import { kindTest } from './kind-name.ts';

/** Something that was left out or guessed to find an object. */
export type Assumption =
  /** The namespace may be that of what was scraped. */
  | { readonly type: 'namespace-dropped'; readonly namespace: string }
  | { readonly type: 'group-dropped'; readonly group: string }
  /** Another label holds the exact name of a cluster. */
  | { readonly type: 'cluster-guessed'; readonly cluster: string; readonly label: string }
  | { readonly type: 'no-cluster' }
  | { readonly type: 'no-kind' }
  | { readonly type: 'no-name' };

/** Words on an assumption. */
export function assumptionText(assumption: Assumption): string {
  switch (assumption.type) {
    case 'namespace-dropped':
      return `The label namespace is ${assumption.namespace}, where there is none; it may be the namespace of the exporter, and is left out.`;
    case 'group-dropped':
      return `The label group is ${assumption.group}, where there is none; it may be no API group, and is left out.`;
    case 'cluster-guessed':
      return `No label cluster was given; ${assumption.label} is the name of a cluster, and is taken for it.`;
    case 'no-cluster':
      return 'No cluster was named: every cluster was searched.';
    case 'no-kind':
      return 'No kind was named: every kind was searched.';
    case 'no-name':
      return 'No name was given: everything of that kind was searched.';
  }
}

/** Objects that labels lead to: exactly one by all that was named; one by an assumption; several; none. */
export type Match<T> =
  | { readonly type: 'exact'; readonly object: T }
  | { readonly type: 'inferred'; readonly object: T; readonly assumed: readonly Assumption[] }
  | { readonly type: 'several'; readonly objects: readonly T[]; readonly assumed: readonly Assumption[] }
  | { readonly type: 'none' };

/** A cluster that is searched. */
export interface Searched<T> {
  readonly name: string;
  readonly objects: Iterable<T>;
}

/** The objects that labels name. Neither name nor kind: nothing, for a cluster or a namespace is no object. */
export function matchOf<T extends { readonly ref: ObjectRef }>(
  wanted: Wanted,
  clusters: readonly Searched<T>[],
): Match<T> {
  if (wanted.name === null && wanted.kind === null) return { type: 'none' };
  const { cluster } = wanted;
  const searched = cluster === null ? clusters : clusters.filter(({ name }) => name === cluster.value);
  const bases = assumedAnyway(wanted, clusters.length);
  const attempts = attemptsOf(wanted).map((attempt) => ({ ...attempt, found: new Array<T>() }));
  const isKept = partTest(wanted);
  for (const { objects } of searched)
    for (const object of objects) {
      if (!isKept(object.ref)) continue;
      for (const { keeps, found } of attempts) if (keeps(object.ref)) found.push(object);
    }
  const best = attempts.find(({ found }) => found.length > 0);
  const [only, another] = best?.found ?? [];
  if (best === undefined || only === undefined) return { type: 'none' };
  const assumed = [...bases, ...best.assumed];
  if (another !== undefined) return { type: 'several', objects: best.found, assumed };
  return assumed.length === 0 ? { type: 'exact', object: only } : { type: 'inferred', object: only, assumed };
}

function assumedAnyway({ cluster, kind, name }: Wanted, clusters: number): readonly Assumption[] {
  const found: Assumption[] = [];
  if (cluster === null && clusters !== 1) found.push({ type: 'no-cluster' });
  if (cluster !== null && cluster.label !== 'cluster')
    found.push({ type: 'cluster-guessed', cluster: cluster.value, label: cluster.label });
  if (kind === null) found.push({ type: 'no-kind' });
  if (name === null) found.push({ type: 'no-name' });
  return found;
}

/** Test of the parts that are never left out: name and kind. */
function partTest({ name, kind }: Wanted): (ref: ObjectRef) => boolean {
  const isKind = kind === null ? null : kindTest(kind.value);
  return (ref) => (name === null || ref.name === name.value) && (isKind === null || isKind(ref));
}

interface Attempt {
  readonly assumed: readonly Assumption[];
  readonly keeps: (ref: ObjectRef) => boolean;
}

/** Tests of the other parts, the strictest first: plain `namespace` and plain `group` may be of something else. */
function attemptsOf({ namespace, group }: Wanted): readonly Attempt[] {
  const inNamespace = (ref: ObjectRef): boolean => namespace === null || ref.namespace === namespace.value;
  const inGroup = (ref: ObjectRef): boolean => group === null || ref.group === group.value;
  const attempts: Attempt[] = [{ assumed: [], keeps: (ref) => inNamespace(ref) && inGroup(ref) }];
  const noNamespace: readonly Assumption[] =
    namespace?.label === 'namespace' ? [{ type: 'namespace-dropped', namespace: namespace.value }] : [];
  const noGroup: readonly Assumption[] =
    group?.label === 'group' ? [{ type: 'group-dropped', group: group.value }] : [];
  if (noGroup.length > 0) attempts.push({ assumed: noGroup, keeps: inNamespace });
  if (noNamespace.length > 0) attempts.push({ assumed: noNamespace, keeps: inGroup });
  if (noNamespace.length > 0 && noGroup.length > 0)
    attempts.push({ assumed: [...noNamespace, ...noGroup], keeps: () => true });
  return attempts;
}
