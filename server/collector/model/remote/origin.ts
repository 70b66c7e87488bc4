import { isRefused } from '#lib/domain/chain/given-source.ts';
import { commitOf, parseRevision } from '#lib/domain/observation/revision.ts';
import type { JudgedAs } from '#lib/domain/verdict/judgement.ts';
import type { Observation } from '#lib/domain/observation/observation.ts';
import { refKey, sameRef, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { mostReferences } from '#lib/foreign-words.ts';
import { deliveryOf } from './delivery.ts';
import type { Origin } from './remote-applier-index.ts';
import type { Entry } from '../objects/entry.ts';
import { composerOf, effectiveObservation, type DeliveryKnowledge } from '../judging/knowledge.ts';

const unknown: Origin = { commit: null, repository: null };
/** Source behind source, delivery behind delivery: longer chains than these are none that anybody made on purpose. */
const hops = 6;

function entryOf(known: DeliveryKnowledge, ref: ObjectRef | null): Entry | null {
  return ref ? (known.entries.get(refKey(ref)) ?? null) : null;
}

/** Origin that one or several sources agree on. */
function agreed(origins: readonly Origin[]): Origin {
  const [first, ...others] = origins;
  const same = first && others.every((one) => one.commit === first.commit && one.repository === first.repository);
  return same ? first : unknown;
}

/** The repository of the source that offers a commit, among the sources behind a generated artifact; the only one where there is one. */
function repositoryOf(commit: string, behind: readonly Origin[]): string | null {
  const found = behind.find((one) => one.commit === commit) ?? (behind.length === 1 ? behind[0] : undefined);
  return found?.repository ?? null;
}

/** A generator that names as many sources as are kept of one, and a chain of others: so many are looked at for one object, whoever names them how often. */
const mostLooked = mostReferences + 2 * hops;

/** Sources that are looked at to find one origin: each once, however many are made of it. */
interface Looking extends DeliveryKnowledge {
  readonly found: Map<RefKey, Origin>;
  /** Number of them that may still be looked at. */
  left: number;
}

/** The sources of an object, each once; none where they are too many to be looked at. */
function sourcesOf(looking: Looking, { source, otherSources }: Observation): readonly Entry[] {
  const refs = source ? [source, ...otherSources] : otherSources;
  const keys = new Set(refs.map(refKey));
  if (keys.size > looking.left) return [];
  looking.left -= keys.size;
  return [...keys].map((key) => looking.entries.get(key)).filter((entry) => entry !== undefined);
}

/**
 * True if an object may be told where a source comes from that it names. Stricter than `isGiven` of lib/domain/chain, for a repository that was told is told for good: in
 * no first moments, and to no artifact that nobody has to look at.
 */
function mayTellOrigin(entry: Entry, source: ObjectRef): boolean {
  if (source.namespace === entry.ref.namespace) return true;
  // Anybody may make one, and nobody has to look at it.
  if (entry.ref.kind === 'ExternalArtifact') return false;
  const { latest } = entry.state.track;
  const { summary, suspended, observedGeneration, generation } = latest;
  // Being switched off is a change, too, that nobody looks at: views leave out what such objects name.
  const isObserved = suspended !== null || (observedGeneration ?? generation) >= generation;
  const isLookedAt = summary.said !== 'nothing' && isObserved;
  return isLookedAt && !isRefused(latest) && !isRefused(effectiveObservation(entry));
}

/**
 * True if a generator has worked on what its source offers now: it writes its status (observedSourcesDigest) on every change of a
 * source, so a status as old as the artifact or younger speaks of it (source-watcher artifactgenerator_controller.go).
 */
function workedOn(generator: Entry, source: Entry): boolean {
  const { latest, busySince, unobservedSpecSince } = generator.state.track;
  if (unobservedSpecSince !== null) return false;
  const since = source.state.track.artifactSince;
  return latest.summary.said === 'good' && busySince === null && since !== null && (latest.lastWriteAt ?? 0) >= since;
}

/** The commit behind the artifact that a source offers now: its own, the annotated one, else that of what it was made from. */
function artifactOrigin(looking: Looking, source: Entry, depth: number): Origin {
  const before = looking.found.get(source.key);
  if (before) return before;
  // What is made of itself is of no commit.
  looking.found.set(source.key, unknown);
  const origin = madeFrom(looking, source, depth);
  looking.found.set(source.key, origin);
  return origin;
}

function madeFrom(looking: Looking, source: Entry, depth: number): Origin {
  const observation = effectiveObservation(source);
  const { kind } = observation.ref;
  const sources = (): readonly Entry[] => (depth === 0 ? [] : sourcesOf(looking, observation));
  const behind = (from: readonly Entry[]): readonly Origin[] =>
    from.map((one) => (mayTellOrigin(source, one.ref) ? artifactOrigin(looking, one, depth - 1) : unknown));
  const commit = commitOf(observation.revisions.artifact, kind, observation.revisions.origin);
  if (commit !== null) {
    // What it offers is of what it asked for before, until its reconciler has looked at its spec.
    const isObserved = source.state.track.unobservedSpecSince === null;
    if (kind === 'GitRepository') return { commit, repository: isObserved ? (observation.target?.url ?? null) : null };
    return { commit, repository: observation.originUrl ?? repositoryOf(commit, behind(sources())) };
  }
  switch (kind) {
    case 'ExternalArtifact':
      return agreed(behind(sources()));
    case 'ArtifactGenerator': {
      const from = sources();
      return from.every((one) => workedOn(source, one)) ? agreed(behind(from)) : unknown;
    }
    default:
      return unknown;
  }
}

/**
 * True if two equal revisions mean equal content: a digest does, a chart's version only where it carries the commit that it was
 * packaged from (reconcileStrategy Revision); a chart may change in git and keep its version.
 */
function tellsContent(revision: string, offered: Origin | null): boolean {
  const parsed = parseRevision(revision, null);
  if (parsed.type !== 'version') return true;
  return parsed.build !== null && offered?.commit?.startsWith(parsed.build) === true;
}

function ownOrigin(known: Looking, entry: Entry, judgement: JudgedAs): Origin {
  const observation = effectiveObservation(entry);
  if (observation.role === 'source') return artifactOrigin(known, entry, hops);
  const source = entryOf(known, observation.source);
  const offered = source ? artifactOrigin(known, source, hops) : null;
  const running = judgement.running.revision;
  const { applied, origin } = observation.revisions;
  // What is annotated is so for what was applied; what was tried since is known by its source only.
  const named = commitOf(running, observation.source?.kind ?? null, running === applied ? origin : null);
  const artifact = source ? effectiveObservation(source).revisions.artifact : null;
  const same = running !== null && running === artifact && tellsContent(running, offered);
  const commit = named ?? (same ? (offered?.commit ?? null) : null);
  if (source && offered) return { commit, repository: mayTellOrigin(entry, source.ref) ? offered.repository : null };
  return { commit, repository: observation.target?.url ?? null };
}

/** An applier that has never applied anything in full: of no commit can it be said that it runs, whoever declared it. */
function runsNothing({ role, revisions }: Observation, { running }: JudgedAs): boolean {
  if (role !== 'applier') return false;
  return running.revision === null || (running.partly && revisions.applied === null);
}

/**
 * The commit that runs and where it lives: over the own source, else over who delivers the object, else over its composite. A
 * HelmRelease is a chart's version and no commit: its own is that of the Kustomization which applied it (docs/facts/flux.md).
 */
function originOf(known: Looking, entry: Entry, judgement: JudgedAs, depth: number): Origin {
  const observation = effectiveObservation(entry);
  const own = ownOrigin(known, entry, judgement);
  if (runsNothing(observation, judgement)) return { ...own, commit: null };
  if (own.commit !== null && observation.reconciler !== 'helm') return own;
  const delivered = depth === 0 ? unknown : deliveredOrigin(known, entry, depth - 1);
  return delivered.commit === null ? own : delivered;
}

/**
 * True if an applier is known to have applied an object, by its inventory. Labels alone name it within its namespace only: whoever writes an object
 * could copy those of an applier elsewhere, and be told what that runs.
 */
function isVouched(known: DeliveryKnowledge, applier: ObjectRef, { key, ref }: Entry): boolean {
  return applier.namespace === ref.namespace || known.lists(refKey(applier), key);
}

/**
 * True if a composite is known to make an object, by its own word: whoever writes an object in a namespace could name as its owner one that has none, and be
 * told what that runs.
 */
function isMadeBy(composer: Entry, { ref }: Entry): boolean {
  if (ref.namespace === '' || composer.ref.namespace === ref.namespace) return true;
  const { children } = effectiveObservation(composer);
  return children.some((child) => sameRef(child, ref));
}

function deliveredOrigin(known: Looking, entry: Entry, depth: number): Origin {
  const delivery = deliveryOf(known, entry);
  if (delivery.type === 'over') return delivery.applier.origin;
  if (delivery.type === 'here' && !isVouched(known, delivery.ref, entry)) return unknown;
  const other = delivery.type === 'here' ? entryOf(known, delivery.ref) : composerOf(known, entry);
  if (delivery.type !== 'here' && other !== null && !isMadeBy(other, entry)) return unknown;
  return other?.state.judgement ? originOf(known, other, other.state.judgement, depth) : unknown;
}

/** As `originOf`, and whether its source offers another commit than the one that it runs itself. */
export function runningOrigin(
  of: DeliveryKnowledge,
  entry: Entry,
  judgement: JudgedAs,
): Origin & { readonly differs: boolean } {
  const { entries, feeds, remotes } = of;
  const known: Looking = { entries, feeds, remotes, lists: of.lists, found: new Map(), left: mostLooked };
  const origin = originOf(known, entry, judgement, hops);
  const { role, reconciler, source, revisions } = effectiveObservation(entry);
  // What is not known to be given it offers it nothing.
  const isOffered = judgement.offered !== null || revisions.incomparable === true;
  const isTold = source !== null && (source.namespace === entry.ref.namespace || isOffered);
  const from = role === 'source' || reconciler === 'helm' || !isTold ? null : entryOf(known, source);
  const offered = from ? artifactOrigin(known, from, hops).commit : null;
  const own = offered === null ? null : ownOrigin(known, entry, judgement).commit;
  return { ...origin, differs: own !== null && own !== offered };
}
