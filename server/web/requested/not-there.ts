import { wordsOf } from '#lib/api/params.ts';
import { namesSaid, nameParameters, type NameParameter, type WireNotThere } from '#lib/api/refusals/not-there.ts';
import { kindOfKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { refuse, type Refused } from '../http/problem.ts';
import { nearestNames } from '../wire/lists/nearest.ts';

/** Names asked for: '' or absent for any, several clusters or labels with commas, "-" for no group, no namespace and nobody. */
export type RequestedNames = { readonly [parameter in NameParameter]?: string };

/** Names that are there. */
export interface Names {
  has(parameter: NameParameter, value: string): boolean;
  all(parameter: NameParameter): Iterable<string>;
}

/** A cluster with the objects that it has now. */
export interface PresentObjects {
  readonly objects: { values(): Iterable<{ readonly ref: ObjectRef }> };
}

/** Part of a cluster that can be named. */
interface NamedCluster extends PresentObjects, Pick<KnownCluster, 'name' | 'labels'> {
  readonly feeds: readonly { readonly group: string; readonly kind: string }[];
  readonly reconcilers: Iterable<string>;
}

/** So many names are looked through for those that are near. */
const mostCompared = 50_000;

/** The names asked for that are not there, the first ten with those that are near; [] where all are. */
export function notThere(asked: RequestedNames, names: Names): readonly WireNotThere[] {
  const missing = nameParameters.flatMap((parameter) => missingOf(parameter, asked[parameter] ?? '', names));
  return missing.map(({ parameter, value }, index) => ({
    parameter,
    value,
    nearest: index < namesSaid ? nearestNames(value, some(names.all(parameter), mostCompared)) : [],
  }));
}

function missingOf(parameter: NameParameter, text: string, names: Names): readonly Omit<WireNotThere, 'nearest'>[] {
  const values = valuesOf(parameter, text);
  const [only] = values;
  if (only === undefined || (values.length === 1 && names.has(parameter, only))) return [];
  const found = new Set(values.length === 1 ? [] : names.all(parameter));
  return values.filter((value) => !found.has(value)).map((value) => ({ parameter, value }));
}

/** The names asked for that one cluster does not have. */
export function notThereOn(cluster: NamedCluster, asked: RequestedNames): readonly WireNotThere[] {
  return notThere(asked, namesIn([cluster])).map((name) => ({ ...name, on: cluster.name }));
}

/** The same as a refusal, for an empty answer would read as good news; null where all are there. */
export function refusalOf(names: readonly WireNotThere[]): Refused | null {
  return names.length === 0 ? null : refuse({ type: 'not-there', names });
}

/** Refuses names that are not in a fleet now; null where all are. */
export function missingIn(fleet: readonly NamedCluster[], asked: RequestedNames): Refused | null {
  return refusalOf(notThere(asked, namesIn(fleet)));
}

/** Refuses names that are not in a fleet now and are not in the record either; null where all are. */
export async function missingInRecord(
  fleet: readonly NamedCluster[],
  asked: RequestedNames,
  record: RecordReader,
  now: number,
): Promise<Refused | null> {
  const missing = notThere(asked, namesIn(fleet));
  return missing.length === 0 ? null : refusalOf(await notRecorded(missing, record, now));
}

function valuesOf(parameter: NameParameter, text: string): readonly string[] {
  switch (parameter) {
    case 'cluster':
    case 'label':
    case 'source':
      return wordsOf(text);
    case 'group':
    case 'namespace':
    case 'by':
      return text === '' || text === '-' ? [] : [text];
    case 'reconciler':
    case 'kind':
    case 'name':
      return text === '' ? [] : [text];
  }
}

function some(values: Iterable<string>, most: number): readonly string[] {
  const found = new Set<string>();
  for (const value of values) {
    if (found.size >= most) break;
    // What has no namespace, or no group, is none that anybody could have meant.
    if (value !== '') found.add(value);
  }
  return [...found];
}

/** Names in a fleet. */
export function namesIn(fleet: readonly NamedCluster[]): Names {
  return namesFrom((parameter) => namesOf(fleet, parameter));
}

/** Names, where all of them can be gone through. */
export function namesFrom(all: Names['all']): Names {
  return {
    has(parameter, value) {
      for (const found of all(parameter)) if (found === value) return true;
      return false;
    },
    all,
  };
}

function* namesOf(fleet: readonly NamedCluster[], parameter: NameParameter): Generator<string> {
  for (const cluster of fleet)
    switch (parameter) {
      case 'cluster':
        yield cluster.name;
        break;
      case 'label':
        for (const [key, value] of Object.entries(cluster.labels)) yield `${key}=${value}`;
        break;
      case 'reconciler':
        yield* cluster.reconcilers;
        break;
      case 'group':
      case 'kind':
        for (const watched of cluster.feeds) yield watched[parameter];
        for (const { ref } of cluster.objects.values()) yield ref[parameter];
        break;
      case 'namespace':
      case 'name':
        for (const { ref } of cluster.objects.values()) yield ref[parameter];
        break;
      // Who manages what is told by conflicts and exemptions, sources by the alarms: not by names of objects.
      case 'by':
      case 'source':
    }
}

/** Of names that are not there now, those that the record does not have either: what was removed is no typing error. */
export async function notRecorded(
  names: readonly WireNotThere[],
  record: RecordReader,
  now: number,
): Promise<readonly WireNotThere[]> {
  const whole = { from: 0, to: now };
  const recorded = await Promise.all(names.map((name) => isRecorded(name, record, whole)));
  return names.filter((_, index) => recorded[index] !== true);
}

async function isRecorded({ parameter, value }: WireNotThere, record: RecordReader, whole: Period): Promise<boolean> {
  switch (parameter) {
    case 'cluster':
      return (await record.since({ clusters: [value] })) !== null;
    case 'kind':
      return (await recordedGroups(record, value, whole)).length > 0;
    case 'group':
      return (await recordedKinds(record, whole)).some(({ group }) => group === value);
    case 'namespace':
      return record.hasObject({ clusters: null, namespace: value }, whole);
    case 'name':
      return record.hasObject({ clusters: null, name: value }, whole);
    // Labels and reconcilers are those of now.
    case 'label':
    case 'reconciler':
    // So are those who manage anything, and alarm sources.
    case 'by':
    case 'source':
      return false;
  }
}

/** The API groups that a kind has in the record of a period. */
export async function recordedGroups(record: RecordReader, kind: string, period: Period): Promise<readonly string[]> {
  return (await recordedKinds(record, period)).filter((each) => each.kind === kind).map(({ group }) => group);
}

async function recordedKinds(record: RecordReader, period: Period) {
  const shares = await record.shares({ clusters: null }, period, 'kind');
  return shares.map(({ key }) => kindOfKey(key));
}
