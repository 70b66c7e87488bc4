import type { AlarmChain, KnownAlarms, KnownNotice } from '#lib/domain/alarm/chain.ts';
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
  const known = (object: CurrentObject, now: number): CurrentObject => find(object.ref, now) ?? object;
  return {
    stamp: alarms.stamp,
    alarmOf: (object, now, alarmWithin) => alarms.alarmOf(known(object, now), now, alarmWithin),
    chainOf(object, now, alarmWithin) {
      const whole = known(object, now);
      return chainWithin(alarms.chainOf(whole, now, alarmWithin), whole, sightNow());
    },
    reachOf: (object, now) => alarms.reachOf(object, now),
    noticesWith(fingerprint) {
      const sight = sightNow();
      return alarms.noticesWith(fingerprint).flatMap((notice) => noticeWithin(notice, sight) ?? []);
    },
    sources() {
      const sight = sightNow();
      return alarms.sources().flatMap((source) => sourceWithin(source, sight) ?? []);
    },
    loadedRules(clusters, now) {
      const { granted } = sightNow();
      return alarms.loadedRules(new Set([...clusters].filter((name) => granted(name) !== 'none')), now);
    },
    *coverage(clusters, now, policy) {
      const sight = sightNow();
      const page = yield* alarms.coverage(clusters, now, policy);
      const rules = alarms.loadedRules(new Set(clusters.map(({ name }) => name)), now);
      return {
        unknown: page.unknown,
        sources: page.sources.flatMap((source) => sourceWithin(source, sight) ?? []),
        kinds: page.kinds,
        findings: findingsWithin(page, rules, sight),
        silent: page.silent,
      };
    },
  };
}

/** The chain of an object that is seen. Of an alert for what it waits for the labels name that. */
function chainWithin(chain: AlarmChain, object: CurrentObject, sight: Sight): AlarmChain {
  const isWhole = sight.granted(object.ref.cluster) === 'all';
  const seesCause = causeWithin(object.rootCause, sight) === object.rootCause;
  if (isWhole && seesCause) return chain;
  const alerts = chain.alerts.map((alert) =>
    isWhole && alert.by !== 'cause' ? alert : { ...alert, labels: labelsOf(object.ref, alert.labels) },
  );
  // What keeps an alert from its receiver is told by the namespace that has one.
  const namesRoute = !isWhole && 'broken' in chain.alarm && chain.alarm.broken === 'receiver';
  return { ...chain, alerts, mend: namesRoute ? null : chain.mend };
}

function noticeWithin(notice: KnownNotice, sight: Sight): KnownNotice | null {
  const labels = labelsWithin(notice, sight);
  return labels === null ? null : { ...notice, labels };
}
