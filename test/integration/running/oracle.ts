// What the screen shows beside what the simulator's own script holds true. Shares no code with adapters or judge.
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Expected } from '#server/simulator/truth.ts';
import type { Screen } from './running-fleet.ts';

/** Kinds that are shown though the script makes no statement of them: they have no loop of their own. */
const withoutStatement: ReadonlySet<string> = new Set(['ProviderConfig']);

/** Every object that is shown as converged though it is not, and has not been within its detection time. */
export function wronglyGreen(screen: Screen, truth: readonly Expected[]): readonly string[] {
  const byRef = new Map(truth.map((expected) => [refKey(expected.ref), expected]));
  return screen.objects().flatMap((object) => {
    if (object.verdict !== 'converged') return [];
    const expected = byRef.get(refKey(object.ref));
    if (!expected) return withoutStatement.has(object.ref.kind) ? [] : [`${refKey(object.ref)} is not there`];
    const right = expected.verdict === 'converged' || expected.alsoRight.includes('converged');
    return right ? [] : [`${refKey(object.ref)} is ${expected.verdict}`];
  });
}

/** Every object that is not shown as the script has it; settled ones only. */
export function notAsTrue(screen: Screen, truth: readonly Expected[]): readonly string[] {
  return truth.flatMap((expected) => {
    const shown: Verdict | 'not there' = screen.object(expected.ref)?.verdict ?? 'not there';
    const right = shown === expected.verdict || expected.alsoRight.some((word) => word === shown);
    return right ? [] : [`${refKey(expected.ref)}: ${shown}, not ${expected.verdict}`];
  });
}

/** The verdicts on screen, by object. */
export function verdictsOf(screen: Screen, cluster?: string): ReadonlyMap<string, Verdict> {
  const shown = screen.objects().filter((object) => cluster === undefined || object.ref.cluster === cluster);
  return new Map(shown.map((object) => [refKey(object.ref), object.verdict]));
}

/** Changes on screen: "key: before -> now". */
export function changesOf(before: ReadonlyMap<string, Verdict>, now: ReadonlyMap<string, Verdict>): readonly string[] {
  const keys = new Set([...before.keys(), ...now.keys()]);
  return [...keys].flatMap((key) =>
    before.get(key) === now.get(key)
      ? []
      : [`${key}: ${before.get(key) ?? 'not there'} -> ${now.get(key) ?? 'not there'}`],
  );
}

/** A Kustomization of the demo in its own namespace. */
export function kustomizationRef(cluster: string, name: string): ObjectRef {
  return { cluster, group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name };
}
