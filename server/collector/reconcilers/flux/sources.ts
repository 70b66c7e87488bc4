import type { BuildWords } from '#lib/domain/commit/build-path.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { inventoryId } from '#lib/domain/observation/inventory.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { at, firstAt, listAt } from '#lib/foreign.ts';
import { mostReferences, nameAt, urlAt, wholeTextAt, wholeWordsAt, wordAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, isTrue } from '../conditions.ts';
import { exemptionList } from '../exemption-list.ts';
import {
  fluxObservation,
  annotationSuspension,
  fluxSuspension,
  suspensionMeaning,
  sourceGroup,
  sourceReference,
} from './shared-fields.ts';
import { sourceExemptions } from './exemptions.ts';
import { sourceTarget } from './source-target.ts';
import { sourceSummary } from './status-summary.ts';

/**
 * Any kind of source.toolkit.fluxcd.io: GitRepository, OCIRepository, Bucket, HelmRepository, HelmChart, ExternalArtifact.
 * Source: source-controller api/v1, docs/facts/flux.md.
 */
export function observeSource(object: unknown, context: AdapterContext): Observation {
  const isStatic = context.kind.kind === 'HelmRepository' && nameAt(object, 'spec', 'type') === 'oci';
  const base = fluxObservation(object, context, ['flux', 'source'], fluxSuspension(object), (conditions) =>
    isStatic ? { said: 'static' } : sourceSummary(conditions),
  );
  const { suspended, cadence, summary } = base;
  const target = sourceTarget(object, context.kind.kind);
  const failing = summary.said === 'bad' || (summary.said === 'busy' && summary.before?.said === 'bad');
  return {
    ...base,
    passes: { seenBy: failing ? 'writes' : 'none', last: null, total: null },
    revisions: {
      applied: null,
      attempted: null,
      artifact: wordAt(object, 'status', 'artifact', 'revision'),
      origin: originOf(object),
    },
    drift: { drift: 'not-measured', why: 'a source applies nothing' },
    exemptions: [...base.exemptions, ...sourceExemptions(object, context.kind.kind, suspended, cadence)],
    target,
    originUrl: originUrlOf(object),
    ...(context.kind.kind === 'GitRepository' ? { builds: buildWords(object) } : {}),
    hasArtifact: isStatic || holdsArtifact(object, base.conditions),
    source: sourceReference(at(object, 'spec', 'sourceRef'), base.ref),
    otherSources: included(object, base.ref),
    controller: context.kind.kind === 'ExternalArtifact' ? makerOf(object) : 'source-controller',
  };
}

/** An empty text is a rule set without rules. */
function buildWords(object: unknown): BuildWords {
  const isSaid = at(object, 'spec', 'ignore') !== undefined && at(object, 'spec', 'ignore') !== null;
  const sparse = wholeWordsAt(object, 'spec', 'sparseCheckout');
  return {
    components: [],
    ignore: isSaid ? wholeTextAt(object, 'spec', 'ignore') : '',
    sparse: sparse?.map((directory) => directory.replace(/^\.\//, '')) ?? null,
  };
}

/** Anybody may make ExternalArtifacts: only those of an ArtifactGenerator have a loop that is known. */
function makerOf(object: unknown): string | null {
  return nameAt(object, 'spec', 'sourceRef', 'kind') === 'ArtifactGenerator' ? 'source-watcher' : null;
}

/** ArtifactInStorage=False takes back what status.artifact promises. A static repository has nothing to wait for. */
function holdsArtifact(object: unknown, conditions: Observation['conditions']): boolean {
  if (wordAt(object, 'status', 'artifact', 'revision') === null) return false;
  return conditionOf(conditions, 'ArtifactInStorage') === null || isTrue(conditions, 'ArtifactInStorage');
}

/** The git revision behind an artifact: annotated on an OCI artifact, or the one that a chart was packaged from. */
function originOf(object: unknown): string | null {
  const annotated = wordAt(object, 'status', 'artifact', 'metadata', 'org.opencontainers.image.revision');
  return annotated ?? wordAt(object, 'status', 'observedSourceArtifactRevision');
}

/** The repository behind an OCI artifact, as whoever pushed it annotated it; it may be an internal host. */
function originUrlOf(object: unknown): string | null {
  return urlAt(object, 'status', 'artifact', 'metadata', 'org.opencontainers.image.source');
}

/** spec.include of a GitRepository: other GitRepositories of its namespace, whose content is copied into its artifact. */
function included(object: unknown, own: ObjectRef): ObjectRef[] {
  if (own.kind !== 'GitRepository') return [];
  return firstAt(mostReferences, object, 'spec', 'include').flatMap((entry) => {
    const name = nameAt(entry, 'repository', 'name');
    return name === null ? [] : { ...own, name };
  });
}

/**
 * source.extensions.fluxcd.io ArtifactGenerator: makes ExternalArtifacts out of other sources. It has no spec.suspend.
 * Its first source stands as `source`, the others beside it; its inventory are the ExternalArtifacts that it made (name and
 * namespace only). Source: source-watcher api/v1beta1/artifactgenerator_types.go.
 */
export function observeArtifactGenerator(object: unknown, context: AdapterContext): Observation {
  const observation = observeSource(object, context);
  const suspended = annotationSuspension(object, 'source.extensions.fluxcd.io');
  const list = exemptionList(object, null);
  list.addSuspension(suspended, suspensionMeaning);
  const sources = firstAt(mostReferences, object, 'spec', 'sources')
    .map((entry) => sourceReference(entry, observation.ref))
    .filter((ref) => ref !== null);
  return {
    ...observation,
    suspended,
    exemptions: [...observation.exemptions, ...list.found],
    hasArtifact: listAt(object, 'status', 'inventory').length > 0,
    source: sources[0] ?? null,
    otherSources: sources.slice(1),
    inventory: generated(object),
    controller: 'source-watcher',
  };
}

function generated(object: unknown): string[] {
  return listAt(object, 'status', 'inventory').flatMap((entry) => {
    const name = nameAt(entry, 'name');
    const namespace = nameAt(entry, 'namespace');
    return name === null || namespace === null
      ? []
      : inventoryId({ namespace, name, group: sourceGroup, kind: 'ExternalArtifact' });
  });
}
