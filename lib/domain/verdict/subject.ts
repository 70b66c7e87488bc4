import type { Heartbeat } from '../heartbeat/controller-liveness.ts';
import type { JudgedAs } from './judgement.ts';
import type { Observation } from '../observation/observation.ts';
import type { ObjectRef } from '../observation/ref.ts';
import type { Track } from '../observation/track.ts';

/** The object that is judged. */
export interface Subject {
  readonly track: Track;
  /** Since when its source has offered something newer than what it runs, however often that was replaced (ms); absent where not known. */
  readonly newerSince?: number;
}

/** Something the subject depends on, as it is judged itself. */
export interface RelatedObject {
  readonly ref: ObjectRef;
  /** present: read and judged; missing: its kind is read and it is not there; unseen: its kind cannot be read here. */
  readonly state: 'present' | 'missing' | 'unseen';
  readonly observation: Observation | null;
  readonly judgement: JudgedAs | null;
  /** Since when it has been away from converged (ms), null while it is not. */
  readonly awaySince: number | null;
  /** Since when its present artifact is offered (ms). */
  readonly artifactSince: number | null;
  /** Its last pass that is known, and since when it is in the middle of one (ms); null where there is none. */
  readonly lastPassAt: number | null;
  readonly busySince: number | null;
}

/** Everything around the subject that bears on its verdict. */
export interface Surroundings {
  /** Source that it applies, or is made, from: what is offered to it. */
  readonly source: RelatedObject | null;
  /** Sources beside that which go into it. */
  readonly otherSources: readonly RelatedObject[];
  readonly dependencies: readonly RelatedObject[];
  /** The Kustomization or HelmRelease that delivers it, be it from another cluster. */
  readonly delivery: RelatedObject | null;
  /** Appliers on other clusters of which one delivers it, where it cannot be told which. */
  readonly couldDeliver: readonly ObjectRef[];
  /** The applier that its labels name, where nothing shows that it has applied it, and since when these are there (ms). `contested`: it may have, or another called alike. */
  readonly claimed: { readonly by: ObjectRef; readonly since: number; readonly contested: boolean } | null;
  /** Crossplane: the composite or claim that makes it. */
  readonly composer: RelatedObject | null;
  /** Composite and claim: what they are made of. */
  readonly children: readonly RelatedObject[];
  /** Crossplane: the package revision that runs this kind. */
  readonly provider: RelatedObject | null;
  /** The controller whose loop turns for it; null where it has none of its own (a managed resource lives by its provider). */
  readonly heartbeat: Heartbeat | null;
  /** Crossplane: the pods of its provider, of a package revision its own; null where nothing is known of them. */
  readonly runtime: Heartbeat | null;
  /** The error that it shares with many resources of its ProviderConfig. */
  readonly sharedError: string | null;
  /** Objects of its inventory that are not on the cluster, and since when (ms). */
  readonly missing: readonly { readonly ref: ObjectRef; readonly since: number }[];
}

/** Surroundings of an object that depends on nothing. */
export const alone: Surroundings = {
  source: null,
  otherSources: [],
  dependencies: [],
  delivery: null,
  couldDeliver: [],
  claimed: null,
  composer: null,
  children: [],
  provider: null,
  heartbeat: null,
  runtime: null,
  sharedError: null,
  missing: [],
};
