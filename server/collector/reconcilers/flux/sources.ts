import type { Observation, Word } from '#lib/domain/observation.ts';
import { at, listAt, textAt } from '#lib/foreign.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, isTrue, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { fluxCadence } from './cadence.ts';
import { generationOf, passUnderWay } from './progress.ts';
import { floatingExemption, sourceTarget } from './source-target.ts';
import { sourceWord } from './source-word.ts';
import { annotationSuspension, fluxSuspension, suspensionExemption } from './suspension.ts';
import { sourceReference } from './targets.ts';

/**
 * Any kind of source.toolkit.fluxcd.io: GitRepository, OCIRepository, Bucket, HelmRepository, HelmChart, ExternalArtifact.
 * Source: source-controller api/v1, facts B4.
 */
export function observeSource(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'flux', 'source');
  const { list: conditions, odd } = readConditions(object);
  const suspended = fluxSuspension(object);
  const isStatic = context.kind.kind === 'HelmRepository' && textAt(object, 'spec', 'type') === 'oci';
  const word: Word = odd !== null ? unrecognised(odd) : isStatic ? { said: 'static' } : sourceWord(conditions);
  const target = sourceTarget(object, context.kind.kind);
  const failing = word.said === 'bad' || (word.said === 'busy' && word.before?.said === 'bad');
  return {
    ...base,
    observedGeneration: generationOf(conditionOf(conditions, 'Ready'), object),
    word,
    reconciling: suspended === null && passUnderWay(conditions),
    suspended,
    conditions,
    cadence: fluxCadence(object),
    passes: { seenBy: failing ? 'writes' : 'none', last: null, total: null },
    revisions: {
      applied: null,
      attempted: null,
      artifact: textAt(object, 'status', 'artifact', 'revision'),
      origin: originOf(object),
    },
    drift: { drift: 'not-measured', why: 'a source applies nothing' },
    exemptions: [
      ...base.exemptions,
      ...suspensionExemption(suspended),
      ...floatingExemption(object, context.kind.kind),
    ],
    target,
    hasArtifact: isStatic || holdsArtifact(object, conditions),
    source: sourceReference(at(object, 'spec', 'sourceRef'), base.ref),
    controller: context.kind.kind === 'ExternalArtifact' ? 'source-watcher' : 'source-controller',
  };
}

/** ArtifactInStorage=False takes back what status.artifact promises. A static repository has nothing to wait for. */
function holdsArtifact(object: unknown, conditions: Observation['conditions']): boolean {
  if (textAt(object, 'status', 'artifact', 'revision') === null) return false;
  return conditionOf(conditions, 'ArtifactInStorage') === null || isTrue(conditions, 'ArtifactInStorage');
}

/** The git revision behind an artifact: annotated on an OCI artifact, or the one that a chart was packaged from. */
function originOf(object: unknown): string | null {
  const annotated = textAt(object, 'status', 'artifact', 'metadata', 'org.opencontainers.image.revision');
  return annotated ?? textAt(object, 'status', 'observedSourceArtifactRevision');
}

/**
 * source.extensions.fluxcd.io ArtifactGenerator: makes ExternalArtifacts out of other sources. It has no spec.suspend.
 * Its first source stands as `source`, the others are what it depends on.
 */
export function observeArtifactGenerator(object: unknown, context: AdapterContext): Observation {
  const observation = observeSource(object, context);
  const suspended = annotationSuspension(object, 'source.extensions.fluxcd.io');
  const sources = listAt(object, 'spec', 'sources')
    .map((entry) => sourceReference(entry, observation.ref))
    .filter((ref) => ref !== null);
  return {
    ...observation,
    suspended,
    exemptions: [...observation.exemptions, ...suspensionExemption(suspended)],
    hasArtifact: listAt(object, 'status', 'inventory').length > 0,
    source: sources[0] ?? null,
    dependsOn: sources.slice(1),
    controller: 'source-watcher',
  };
}
