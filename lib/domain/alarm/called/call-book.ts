import { refKey, type ObjectRef } from '../../observation/ref.ts';
import { intersectionOf, unionOf, type FlatStretches } from '../../record/flat-stretches.ts';
import type { Period } from '../../record/span.ts';
import { timeUnion } from '../../time/time-union.ts';
import type { NamedByLabels } from '../named.ts';
import { meansObject, type CallMeaning } from './call-meaning.ts';
import type { SourceTimes } from './source-times.ts';

/** A call with what it means, from when to when somebody was called (ms, half-open). */
export interface MeantCall extends Period {
  readonly source: string;
  readonly meaning: CallMeaning;
}

/** Calls laid out for questions about objects. */
export interface CallBook<C extends MeantCall> {
  /** Calls that name an object. */
  naming(ref: ObjectRef): readonly C[];
  /** When a call lasted that names an object. */
  named(ref: ObjectRef): FlatStretches;
  /** When it is not known that nobody was called for an object: sources could not be read, or a call may have been for it. */
  unknown(ref: ObjectRef): FlatStretches;
  /** The part of it that is the same of all objects of a cluster. */
  unknownOn(cluster: string): FlatStretches;
  /** Calls that name objects, or may mean some of a cluster, each meaning once, with the time of them all. */
  meant(): readonly MeantObjects[];
}

/** Calls that mean the same objects. */
export interface MeantObjects extends Period {
  readonly cluster: string;
  readonly named: NamedByLabels;
}

interface OnCluster<C> {
  readonly byName: Map<string, C[]>;
  /** Those that name no object. */
  readonly unnamed: C[];
  /** Those that may be for any. */
  readonly any: C[];
}

/** Calls for an object, and the times of these and of what may be for it. */
interface Told<C> {
  readonly called: readonly C[];
  readonly named: FlatStretches;
  readonly perhaps: FlatStretches;
}

const nothing: FlatStretches = new Float64Array(0);
const noCall: Told<never> = { called: [], named: nothing, perhaps: nothing };

/** Lays calls out, with the times of their sources. */
export function callBook<C extends MeantCall>(calls: readonly C[], times: SourceTimes): CallBook<C> {
  const clusters = new Map<string, OnCluster<C>>();
  const anywhere: C[] = [];
  for (const call of calls) put(call);

  function on(cluster: string): OnCluster<C> {
    const found = clusters.get(cluster) ?? { byName: new Map<string, C[]>(), unnamed: [], any: [] };
    clusters.set(cluster, found);
    return found;
  }

  function put(call: C): void {
    const { meaning } = call;
    if (meaning.type === 'none') return;
    if (meaning.cluster === null) return void anywhere.push(call);
    const { byName, unnamed, any } = on(meaning.cluster);
    if (meaning.type === 'cluster') any.push(call);
    else if (meaning.named.name === null) unnamed.push(call);
    else {
      const others = byName.get(meaning.named.name);
      if (others === undefined) byName.set(meaning.named.name, [call]);
      else others.push(call);
    }
  }

  const toldOf = new Map<string, Told<C>>();

  function meaning(ref: ObjectRef): Told<C> {
    const its = clusters.get(ref.cluster)?.byName.get(ref.name);
    if (its === undefined) return noCall;
    const key = refKey(ref);
    const told = toldOf.get(key) ?? toldBy(its, ref);
    toldOf.set(key, told);
    return told;
  }

  const ofCluster = new Map<string, FlatStretches>();

  /** Times that are unknown of all objects of a cluster. */
  function unknownOn(cluster: string): FlatStretches {
    const known = ofCluster.get(cluster);
    if (known !== undefined) return known;
    let unknown = unionOf(times.unknownOn(cluster), timesOf(clusters.get(cluster)?.any ?? []));
    for (const [source, its] of Map.groupBy(anywhere, (call) => call.source))
      unknown = unionOf(unknown, intersectionOf(timesOf(its), times.spoken(source, cluster)));
    ofCluster.set(cluster, unknown);
    return unknown;
  }

  const unnamedFor = new Map<string, FlatStretches>();

  /** When calls lasted that name no object and may mean one of this kind and namespace. */
  function unnamed(ref: ObjectRef): FlatStretches {
    const its = clusters.get(ref.cluster)?.unnamed ?? [];
    if (its.length === 0) return nothing;
    const key = `${ref.cluster}/${ref.group}/${ref.kind}/${ref.namespace}`;
    const known = unnamedFor.get(key);
    if (known !== undefined) return known;
    const found = timesOf(
      its.filter((call) => call.meaning.type === 'objects' && meansObject(call.meaning.named, ref) !== null),
    );
    unnamedFor.set(key, found);
    return found;
  }

  return {
    unknownOn,
    meant: () => meantBy(calls),
    naming: (ref) => meaning(ref).called,
    named: (ref) => meaning(ref).named,
    unknown(ref) {
      const perhaps = unionOf(unnamed(ref), meaning(ref).perhaps);
      return unionOf(unknownOn(ref.cluster), perhaps);
    },
  };
}

/** Calls that mean the same together. */
function meantBy(calls: readonly MeantCall[]): readonly MeantObjects[] {
  const found = new Map<CallMeaning, MeantObjects>();
  for (const { meaning: its, from, to } of calls) {
    if (its.type !== 'objects') continue;
    const { from: first = from, to: last = to } = found.get(its) ?? {};
    found.set(its, { ...its, from: Math.min(first, from), to: Math.max(last, to) });
  }
  return [...found.values()];
}

/** Sorts calls of one cluster and name by how they mean an object. */
function toldBy<C extends MeantCall>(calls: readonly C[], ref: ObjectRef): Told<C> {
  const as = (how: 'called' | 'perhaps'): readonly C[] =>
    calls.filter((call) => call.meaning.type === 'objects' && meansObject(call.meaning.named, ref) === how);
  const called = as('called');
  return { called, named: timesOf(called), perhaps: timesOf(as('perhaps')) };
}

function timesOf(calls: readonly Period[]): FlatStretches {
  if (calls.length === 0) return nothing;
  const union = timeUnion();
  for (const { from, to } of calls) union.add(from, to);
  return union.stretches().slice();
}
