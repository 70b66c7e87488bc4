import type { BuildPath } from '#lib/domain/commit/build-path.ts';
import { buildKey } from '#server/git/port/build-key.ts';
import { rangeEnds, type SuspectFacts, type Suspicion, type Untold } from '#lib/domain/commit/suspect.ts';
import { isShared } from '#lib/domain/incident/incident-title.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CommitRange } from '#lib/domain/record/commit-range.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { minute } from '#lib/domain/time/length.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { buildsBy, objectsAt } from '../commits/build-of.ts';
import { whyBeyond } from '../commits/built-from.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { readMade } from '../incidents/made.ts';

/** A question to git on one range. */
export interface GitQuestion {
  readonly type: 'ask';
  readonly repository: string;
  readonly from: string;
  readonly to: string;
  /** Each once. */
  readonly paths: readonly BuildPath[];
  readonly facts: SuspectFacts;
}

/** A question to git, or a conclusion that needs none. */
export type SuspectQuestion = GitQuestion | { readonly type: 'known'; readonly suspicion: Suspicion };

/** An edit so long before it broke may have been what broke it. */
const editedBefore = 30 * minute;
const mostEdits = 50;

/** The question of an object that fails now; null where it did not break in a range of revisions. */
export async function questionOfObject(moment: KnownMoment, ref: ObjectRef): Promise<SuspectQuestion | null> {
  const object = moment.find(ref, moment.now());
  if (object === null || object.range === null) return null;
  const began = { at: (object.awaySince ?? object.onset).time, returned: false };
  return questionOf(moment, object.range, { objects: [object], unknown: 0 }, began);
}

/** The question of an incident, by at most `most` of its members; null where there is none, or it did not begin in a range of revisions. */
export async function questionOfIncident(
  moment: KnownMoment,
  id: string,
  most: number,
): Promise<SuspectQuestion | null> {
  const record = moment.reader()?.record;
  if (!record) return null;
  const { at } = await readMade(record, moment.now());
  const found = await record.incident(id, at);
  const living = found?.type === 'merged' ? await record.incident(found.into, at) : found;
  if (living?.type !== 'incident') return null;
  const { incident } = living;
  const { cause, range, openedAt, takenFor, returns } = incident;
  if (range === null || cause.type !== 'object') return null;
  if (takenFor.length > 0) return notTold('another-cause');
  return questionOf(moment, range, await rootsOf(moment, incident, at, most), { at: openedAt, returned: returns > 0 });
}

interface Broken {
  readonly objects: readonly CurrentObject[];
  /** Number of objects that are not there any more, or too many to be looked at. */
  readonly unknown: number;
}

/** Objects that fail by themselves in an incident. */
async function rootsOf(moment: KnownMoment, incident: Incident, at: number, most: number): Promise<Broken> {
  const { cause, roots, id } = incident;
  const now = moment.now();
  const refs = new Map<string, ObjectRef>();
  if (cause.type === 'object') refs.set(refKey(cause.ref), cause.ref);
  let unknown = 0;
  if (isShared(roots)) {
    const page = { cursor: null, limit: most };
    const members = await moment.reader()?.record.members(id, at, { clusters: null }, page);
    for (const { ref, own } of members?.items ?? []) if (own && ref !== null) refs.set(refKey(ref), ref);
    if (!members || members.next !== null) unknown += 1;
  }
  const objects = [...refs.values()].flatMap((ref) => moment.find(ref, now) ?? []);
  return { objects, unknown: unknown + refs.size - objects.length };
}

async function questionOf(
  moment: KnownMoment,
  range: CommitRange,
  { objects, unknown }: Broken,
  began: { readonly at: number; readonly returned: boolean },
): Promise<SuspectQuestion> {
  const ends = rangeEnds(range, objects[0]?.source?.kind ?? null);
  if (ends.type === 'not-told') return notTold(ends.why);
  if (ends.type === 'same') return { type: 'known', suspicion: { type: 'none', commits: 0, doubts: [] } };
  const placed = objects.filter(({ path, repository }) => path !== null && repository !== null);
  const [first] = placed;
  if (first === undefined || first.repository === null) return notTold('no-path');
  const keys = new Set(placed.flatMap(({ repository }) => (repository === null ? [] : repositoryKey(repository))));
  if (keys.size > 1) return notTold('several-repositories');
  const buildOf = buildsBy(objectsAt(moment, moment.now()));
  const builds = placed.flatMap((object) => buildOf(object).build ?? []);
  const beyond = placed.filter((object) => whyBeyond(object, buildOf(object).source) !== null);
  const store = moment.reader();
  const edits = await Promise.all(placed.map(({ ref }) => isEdited(store, ref, began.at - editedBefore, moment.now())));
  return {
    type: 'ask',
    repository: first.repository,
    from: ends.from,
    to: ends.to,
    paths: [...new Map(builds.map((build) => [buildKey(build), build])).values()],
    facts: {
      watched: range.watched,
      edited: edits.includes(true),
      returned: began.returned,
      unknownPaths: unknown + objects.length - placed.length + beyond.length,
    },
  };
}

/** True if the spec was edited otherwise than to suspend or resume it, or that cannot be read. */
async function isEdited(store: StoreReader | null, ref: ObjectRef, from: number, to: number): Promise<boolean> {
  if (store === null) return true;
  const changes = await store.changes({ ref, from, to: to + 1, limit: mostEdits }).catch(() => null);
  if (changes === null || changes.length === mostEdits) return true;
  const switches = changes.filter(({ fact }) => fact.type === 'suspended' || fact.type === 'resumed');
  const switched = new Set(switches.map(({ at }) => at));
  return changes.some(({ fact, at }) => fact.type === 'spec-edited' && !switched.has(at));
}

function notTold(why: Untold): SuspectQuestion {
  return { type: 'known', suspicion: { type: 'not-told', why } };
}
