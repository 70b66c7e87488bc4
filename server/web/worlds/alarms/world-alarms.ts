import { isDeepStrictEqual } from 'node:util';
import type { AlarmChain, ChainAlert, ChainStep, KnownAlarms, KnownNotice } from '#lib/domain/alarm/chain.ts';
import type { NamedRule } from '#lib/domain/alarm/coverage/loaded-rules.ts';
import type { CoveredCluster } from '#lib/domain/alarm/finding.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { causeWithin } from '../hide/cause.ts';
import { labelsOf, labelsWithin } from '../hide/labels.ts';
import type { Sight, SightNow } from '../sight.ts';
import { findingsWithin, sourceWithin } from './world-sources.ts';

/** Alarms of the whole fleet, and any object of it as known at a moment (ms). */
export interface WholeAlarms {
  readonly alarms: KnownAlarms;
  readonly find: (ref: ObjectRef, now: number) => KnownObject | null;
}

/**
 * Alarms as a sight tells them. Whether somebody is called for an object is known by all that is known of it, also of what it waits for; told is what
 * may be seen.
 */
export function worldAlarms({ alarms, find }: WholeAlarms, sightNow: SightNow): KnownAlarms {
  const sourcesIn = (sources: readonly AlarmSource[], sight: Sight): readonly AlarmSource[] =>
    sources.flatMap((source) => sourceWithin(source, alarms.clustersOf(source.name), sight) ?? []);
  const known = (object: CurrentObject, now: number): CurrentObject => find(object.ref, now) ?? object;
  return {
    stamp: alarms.stamp,
    alarmOf: (object, now, alarmWithin) => alarms.alarmOf(known(object, now), now, alarmWithin),
    chainOf(object, now, alarmWithin) {
      const whole = known(object, now);
      const sight = sightNow();
      const told = new Set(sourcesIn(alarms.sources(), sight).map(({ name }) => name));
      const alone = (): AlarmChain => alarms.chainOf({ ...whole, rootCause: null }, now, alarmWithin);
      return chainWithin(alarms.chainOf(whole, now, alarmWithin), whole, { sight, told, alone });
    },
    reachOf: (object, now) => alarms.reachOf(object, now),
    noticesWith(fingerprint) {
      const sight = sightNow();
      return alarms.noticesWith(fingerprint).flatMap((notice) => noticeWithin(notice, sight) ?? []);
    },
    sources() {
      return sourcesIn(alarms.sources(), sightNow());
    },
    loadedRules(clusters, now) {
      const { granted } = sightNow();
      return alarms.loadedRules(new Set([...clusters].filter((name) => granted(name) !== 'none')), now);
    },
    rulesReading(objects) {
      const { sees } = sightNow();
      return alarms.rulesReading([...objects].filter(sees));
    },
    clustersOf(source) {
      const { granted } = sightNow();
      return alarms.clustersOf(source).filter((name) => granted(name) !== 'none');
    },
    *coverage(clusters, now, policy) {
      const sight = sightNow();
      const page = yield* alarms.coverage(clusters, now, policy);
      yield;
      return {
        unknown: page.unknown,
        sources: sourcesIn(page.sources, sight),
        kinds: page.kinds,
        findings: findingsWithin(
          page,
          { clustersOf: alarms.clustersOf, rules: rulesWithin(alarms, clusters, { sight, now }) },
          sight,
        ),
        silent: page.silent,
      };
    },
  };
}

/** Rules that read anything on clusters of which all is seen, or an object that is seen of others. */
function rulesWithin(
  alarms: KnownAlarms,
  clusters: readonly CoveredCluster[],
  { sight: { granted }, now }: { readonly sight: Sight; readonly now: number },
): readonly NamedRule[] {
  const [whole, part] = [true, false].map((isWhole) =>
    clusters.filter(({ name }) => (granted(name) === 'all') === isWhole),
  );
  const refs = (part ?? []).flatMap(({ objects }) => objects.map(({ ref }) => ref));
  const loaded = alarms.loadedRules(new Set(whole?.map(({ name }) => name)), now);
  return [...(loaded?.rules ?? []), ...alarms.rulesReading(refs)];
}

/** A name in place of that of an alert, or a source, which lies outside. */
const unnamed = 'outside your view';

/** States of a link of a chain that is of an alert for what lies outside: neither its rule nor who is called is told. */
const unnamedSteps: Readonly<Record<'whole' | 'broken', string>> = {
  whole: 'It is whole, by an alert for what lies outside your view.',
  broken: 'It is broken, for an alert for what lies outside your view.',
};

/** Parts of telling a chain. `told`: names of the sources that are told; `alone`: the chain of the object without its cause. */
interface ChainSight {
  readonly sight: Sight;
  readonly told: ReadonlySet<string>;
  readonly alone: () => AlarmChain;
}

/** The chain of an object that is seen. An alert for what it waits for names that, and whom that calls. */
function chainWithin(chain: AlarmChain, object: CurrentObject, { sight, told, alone }: ChainSight): AlarmChain {
  const isWhole = sight.granted(object.ref.cluster) === 'all';
  const seesCause = causeWithin(object.rootCause, sight) === object.rootCause;
  if (isWhole && seesCause) return chain;
  const isOwn = seesCause || isDeepStrictEqual(alone().steps, chain.steps);
  const alerts = chain.alerts.map((alert): ChainAlert => {
    if (alert.by === 'cause' && !seesCause) {
      const source = told.has(alert.source) ? alert.source : unnamed;
      return { ...alert, source, name: unnamed, labels: {}, receivers: [] };
    }
    return isWhole ? alert : { ...alert, labels: labelsOf(object.ref, alert.labels) };
  });
  // What keeps an alert from its receiver is told by the namespace that has one.
  const namesRoute = !isWhole && 'broken' in chain.alarm && chain.alarm.broken === 'receiver';
  const steps = isOwn ? chain.steps : chain.steps.map(stepOutside);
  return { ...chain, steps, alerts, mend: namesRoute || !isOwn ? null : chain.mend };
}

function stepOutside(step: ChainStep): ChainStep {
  return step.state === 'later' ? step : { ...step, text: unnamedSteps[step.state] };
}

function noticeWithin(notice: KnownNotice, sight: Sight): KnownNotice | null {
  const labels = labelsWithin(notice, sight);
  return labels === null ? null : { ...notice, labels };
}
