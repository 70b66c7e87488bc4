import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import type { Span } from '#lib/domain/record/span.ts';

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
export type PastSpan = Omit<Span, 'from' | 'to' | 'onset'> & Pick<CurrentObject, 'onset'>;

/** Of the incident that an object was in: since when it was away, and between which revisions it broke. */
export type PastIncident = Pick<Incident, 'openedAt' | 'bound' | 'noticedAt' | 'range'>;

/** Of a transition whose record came in no batch with it (the object was removed in the same one): nothing proves anything. */
export const noTraits: PastTraits = {
  reconciler: '',
  role: 'applier',
  was: null,
  confirmation: 'none',
  drift: 'not-measured',
  commitDiffers: false,
};

/** One object at a past moment, from what is kept of it. */
export interface PastObject {
  readonly span: PastSpan;
  readonly traits: PastTraits;
  readonly origin: LastKnownOrigin;
  /** null where it was in none. */
  readonly incident: PastIncident | null;
}
