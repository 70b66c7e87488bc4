import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { pastSentence } from '#lib/domain/record/past-sentence.ts';
import type { Span } from '#lib/domain/record/span.ts';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';

/** Where an object was last known to come from. */
export type LastKnownOrigin = Pick<CurrentObject, 'source' | 'deliveredBy' | 'path' | 'repository'>;

/** Of an object of which nothing of that kind was kept. */
export const noLastKnownOrigin: LastKnownOrigin = { source: null, deliveredBy: null, path: null, repository: null };

/** Traits kept of an object's record as its verdict began; all else of them was true of that moment only. */
export type PastTraits = Pick<
  CurrentObject,
  'reconciler' | 'role' | 'was' | 'confirmation' | 'drift' | 'commitDiffers'
>;

/** The span that an object was in: it was noticed with its onset. */
export type PastSpan = Omit<Span, 'from' | 'to' | 'onset' | 'attempted'> & Pick<CurrentObject, 'onset' | 'revision'>;

/** Where no revision was kept. */
export const noRevision: CurrentObject['revision'] = { applied: null, attempted: null, offered: null };

/** Of the absence that an object was in: since when it was away, and between which revisions it broke. */
export type PastAbsence = Pick<Absence, 'openedAt' | 'bound' | 'noticedAt' | 'range'>;

/** Of a transition whose record came in no batch with it (the object was removed in the same one): nothing proves anything. */
export const noTraits: PastTraits = {
  reconciler: '',
  role: 'applier',
  was: null,
  confirmation: 'none',
  drift: 'not-measured',
  commitDiffers: 'unknown',
};

/** One object at a past moment, from what is kept of it. */
export interface PastObject {
  readonly span: PastSpan;
  readonly traits: PastTraits;
  readonly origin: LastKnownOrigin;
  /** null where it was in none. */
  readonly absence: PastAbsence | null;
}

const noExemptions: CurrentObject['exemptions'] = [];

/**
 * An object as it stood while its span lasted, with its sentence (from `pastSentence`). What was not kept is empty (see `PastFleet`); an alarm is not known.
 * Nothing bounds it but the coverage of its cluster: had its proof run out then, that would be another span.
 */
export function pastObject(
  { span, traits, origin, absence }: PastObject,
  sentence = sentenceOf(span, traits),
): CurrentObject {
  const { ref, uid, verdict, onset, reason, message, commit, revision, rootCause } = span;
  const { reconciler, role, was, confirmation, drift, commitDiffers } = traits;
  return {
    ref,
    uid,
    reconciler,
    role,
    verdict,
    was,
    reconciling: false,
    rolling: false,
    reason,
    message: message ?? '',
    sentence,
    onset,
    awaySince: absence && { time: absence.openedAt, bound: absence.bound, noticedAt: absence.noticedAt },
    confirmation,
    observedAt: onset.noticedAt,
    confirmedAt: null,
    validUntil: null,
    revision,
    commit,
    commitDiffers,
    path: origin.path,
    builds: mayHaveComponents(span) ? notKept : null,
    source: origin.source,
    deliveredBy: origin.deliveredBy,
    upstreams: noUpstreams,
    repository: origin.repository,
    rootCause,
    // The absence may have begun otherwise, and its failing later.
    range: failsAtRevision(was ?? verdict) ? (absence?.range ?? null) : null,
    drift,
    exemptions: noExemptions,
  };
}

/** Which components it was built from, and if it had any, is not kept. */
const notKept = { components: null, ignore: null, sparse: [] };

function mayHaveComponents({ ref }: PastSpan): boolean {
  return ref.kind === 'Kustomization';
}

function sentenceOf(span: PastSpan, { role, drift }: PastTraits): string {
  return pastSentence({ ...span, role, drift });
}
