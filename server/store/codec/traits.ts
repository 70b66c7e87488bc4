import type { CommitDiffers } from '#lib/domain/record/commit-differs.ts';
import type { CurrentObject, Onset } from '#lib/domain/record/current.ts';
import { roles, type Reconciler, type Role } from '#lib/domain/observation/observation.ts';
import { verdicts, type Confirmation, type Drift, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { decodeTexts } from './decode.ts';

/**
 * Traits that many objects have in common word for word: stored as one text, so that a row carries one number for all of it.
 * A fleet of a million objects has some hundreds of them.
 */
export interface Traits {
  readonly reconciler: Reconciler;
  readonly role: Role;
  readonly verdict: Verdict;
  readonly was: Verdict | null;
  readonly reconciling: boolean;
  readonly rolling: boolean;
  readonly reason: string;
  readonly confirmation: Confirmation;
  readonly drift: Drift;
  readonly commitDiffers: CommitDiffers;
  readonly onsetBound: Onset['bound'];
  readonly awayBound: Onset['bound'];
  readonly awaySinceMade: boolean;
  readonly driftedLater: boolean;
}

function named<T extends string>(values: readonly T[]): ReadonlyMap<string, T> {
  return new Map(values.map((value) => [value, value]));
}

const roleNamed = named(roles);
const verdictNamed = named(verdicts);
const confirmationNamed = named<Confirmation>(['pass', 'controller', 'none']);
const driftNamed = named<Drift>(['none', 'found', 'corrected', 'contested', 'not-measured']);

/** The verdict of a stored word; null for '' and for a word of another version. */
export function verdictOf(stored: string): Verdict | null {
  return verdictNamed.get(stored) ?? null;
}

/** The bound of a stored word. */
export function boundOf(stored: string | null | undefined): Onset['bound'] {
  return stored === 'at-least' ? 'at-least' : 'exact';
}

function flag(value: boolean): string {
  return value ? '1' : '';
}

function encodeDiffers(differs: CommitDiffers): string {
  switch (differs) {
    case 'no':
      return '';
    case 'yes':
      return '1';
    case 'unknown':
      return '?';
  }
}

function decodeDiffers(stored: string | null | undefined): CommitDiffers {
  if (stored === '1') return 'yes';
  return stored === '' ? 'no' : 'unknown';
}

/** The stored text of an object's traits. */
export function encodeTraits(object: CurrentObject): string {
  return JSON.stringify([
    object.reconciler,
    object.role,
    object.verdict,
    object.was,
    flag(object.reconciling),
    flag(object.rolling),
    object.reason,
    object.confirmation,
    object.drift,
    // Two places in which older versions kept an alarm.
    null,
    null,
    encodeDiffers(object.commitDiffers),
    object.onset.bound,
    object.awaySince?.bound ?? null,
    flag(object.awaySince?.sinceMade === true),
    flag(object.driftedLater === true),
  ]);
}

/** The traits of a stored text. A word that this version does not know becomes its most cautious neighbour. */
export function decodeTraits(text: string): Traits {
  const [
    reconciler,
    role,
    verdict,
    was,
    reconciling,
    rolling,
    reason,
    confirmation,
    drift,
    ,
    ,
    differs,
    onset,
    away,
    sinceMade,
    later,
  ] = decodeTexts(text);
  return {
    reconciler: reconciler ?? '',
    role: roleNamed.get(role ?? '') ?? 'applier',
    verdict: verdictNamed.get(verdict ?? '') ?? 'unobserved',
    was: verdictOf(was ?? ''),
    reconciling: reconciling === '1',
    rolling: rolling === '1',
    reason: reason ?? '',
    confirmation: confirmationNamed.get(confirmation ?? '') ?? 'none',
    drift: driftNamed.get(drift ?? '') ?? 'not-measured',
    commitDiffers: decodeDiffers(differs),
    onsetBound: boundOf(onset),
    awayBound: boundOf(away),
    awaySinceMade: sinceMade === '1',
    driftedLater: later === '1',
  };
}
