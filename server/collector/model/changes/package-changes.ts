import { boundedMap } from '#server/runtime/bounded-map.ts';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { shortText } from './object-changes.ts';

/** So many packages are remembered, whether they are still there or not: a revision may name another image each time. */
const mostPackages = 10_000;

interface Package {
  /** The one that was activated last, and the version of its image. */
  last: { readonly name: string; readonly version: string };
  /** While one takes over from another, both may say that they are active. */
  readonly active: Set<string>;
}

/** The image of a revision without its tag or digest, and what was taken off it; empty where it names none. */
function imageOf({ revisions }: Observation) {
  const image = revisions.applied ?? '';
  const name = image.replace(/@.*/s, '').replace(/:[^/:]*$/, '');
  return { name, version: image.slice(name.length + 1) };
}

function isRevision({ role, ref }: Observation): boolean {
  return role === 'package' && ref.kind.endsWith('Revision');
}

/**
 * Which revision of each Crossplane package is active. Objects that are no package revision change nothing. Starts with
 * no package known.
 */
export function createPackageChanges() {
  const packages = boundedMap<string, Package>(mostPackages);
  /** The package that each active revision is of. */
  const packageOf = new Map<string, string>();

  function idOf(observation: Observation): string {
    return `${observation.ref.kind} ${imageOf(observation).name}`;
  }

  function leave({ ref }: Observation): void {
    const revision = revisionKey(ref);
    packages.get(packageOf.get(revision) ?? '')?.active.delete(ref.name);
    packageOf.delete(revision);
  }

  function enter({ ref }: Observation, id: string, found: Package): void {
    found.active.add(ref.name);
    packageOf.set(revisionKey(ref), id);
  }

  /** The package whose revision this has become; null where it is not active, or was before. */
  function activated(observation: Observation): { readonly was: Package['last'] | null } | null {
    const { ref, summary } = observation;
    const id = idOf(observation);
    // An inactive revision says nothing by design; one may say that it is of another package.
    if (summary.said === 'static' || (packageOf.get(revisionKey(ref)) ?? id) !== id) leave(observation);
    if (summary.said === 'static') return null;
    const found = packages.get(id);
    if (found?.active.has(ref.name)) return null;
    const last = { name: ref.name, version: imageOf(observation).version };
    if (!found) {
      const made = { last, active: new Set<string>() };
      packages.set(id, made);
      enter(observation, id, made);
      return { was: null };
    }
    const was = found.last;
    found.last = last;
    enter(observation, id, found);
    return { was: was.name === ref.name ? null : was };
  }

  return {
    /** Takes a revision that was there before anybody looked. */
    seen(observation: Observation): void {
      if (isRevision(observation)) activated(observation);
    },
    /** Takes a revision as it is now: the change where it has become active in the place of another, else null. */
    now(observation: Observation): ChangeFact | null {
      const was = isRevision(observation) ? activated(observation)?.was : null;
      if (!was) return null;
      const { ref } = observation;
      const image = imageOf(observation);
      const from = was.version;
      // The same tag may name other content: then the revisions are told apart by their names.
      const byVersion = from !== image.version && from !== '' && image.version !== '';
      return {
        type: 'package-revision',
        package: shortText(image.name),
        kind: ref.kind,
        name: shortText(ref.name),
        from: shortText(byVersion ? from : was.name),
        to: shortText(byVersion ? image.version : ref.name),
      };
    },
    /** A revision is gone. */
    gone: leave,
  };
}

function revisionKey({ kind, name }: Observation['ref']): string {
  return `${kind} ${name}`;
}
