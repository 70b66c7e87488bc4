import { type AlarmBook, alarmBook, type AlarmChange } from '#lib/domain/alarm/alarm-book.ts';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import {
  alarmSource,
  alertFact,
  alertmanagerUrl,
  labelsOf,
  noticeFact,
  program,
  receiverFact,
  ruleFact,
  scopeFacts,
} from '#lib/domain/alarm/testing/facts.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { day, hour, minute, second } from '#lib/domain/time/length.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { canaryObjects, canaryOf, roots } from './canary-fleet.ts';
import { canaries, here, there, type Canary } from './canary-words.ts';

const read = { since: sampleNow - hour, readAt: sampleNow - 5 * second, validUntil: sampleNow + hour };

function source(name: string, clusters: readonly string[], word: string): AlarmSource {
  const program = (of: 'prometheus' | 'alertmanager') => programAt(of, word);
  return alarmSource({
    name,
    attribution: { label: 'cluster', aliases: { [`alias-${word}`]: clusters[0] ?? here }, clusters },
    programs: [program('prometheus'), program('alertmanager')],
  });
}

function programAt(of: 'prometheus' | 'alertmanager', word: string): AlarmSource['programs'][number] {
  return program(of, { ...read, url: of === 'alertmanager' ? alertmanagerUrl : `http://prometheus.${word}:9090` });
}

/** Names of the sources: of both clusters, of each alone, and of whichever its label names. */
export const sources = {
  both: 'both',
  here: 'here',
  there: `there-${canaries.elsewhere}`,
  any: 'any',
} as const;

/** Rule and receiver of a part of the fleet, which read and call for nothing else. */
function factsOf(canary: Canary): readonly AlarmFact[] {
  const refs = canaryObjects.map(({ ref }) => ref).filter((ref) => canaryOf(ref) === canary);
  const scope = `gotk_resource_info{team="${canary}"}`;
  const name = `Rule-${canary}`;
  const rule = ruleFact({
    name,
    key: `file-${canary}.yaml;${name}`,
    file: `file-${canary}.yaml`,
    group: `group-${canary}`,
    health: 'err',
    error: `bad query ${canary}`,
    labels: { team: canary },
    query: `${scope} == 1`,
    selectors: [{ metric: 'gotk_resource_info', scope, states: [] }],
    evaluatedAt: sampleNow - 10 * second,
    firedAt: sampleNow - hour,
  });
  const dead = `${scope}, dead="1"`;
  return [
    rule,
    ruleFact({
      ...rule,
      name: `Dead-${canary}`,
      key: `dead-${canary}`,
      health: 'ok',
      error: null,
      selectors: [{ metric: 'nothing', scope: dead, states: [] }],
    }),
    { type: 'scope-standing', key: dead, series: 0, reason: null },
    ...scopeFacts(scope, refs),
    ...alertsFor(roots[canary], canary),
    ...alertsFor({ ...roots[canary], name: `gone-${canary}` }, canary),
    receiverFact(`oncall-${canary}`, ['pagerduty']),
    receiverFact(`nobody-${canary}`, []),
    {
      type: 'silence',
      key: `${alertmanagerUrl} silence-${canary}`,
      state: 'active',
      startsAt: sampleNow - 3 * day,
      endsAt: sampleNow + day,
      by: `by-${canary}`,
      comment: `comment ${canary}`,
      matchers: [{ name: 'team', operator: '=', value: canary }],
    },
  ];
}

/** An alert for an object, as both programs have it: one that calls, one that is held back, one that calls nobody. */
export function alertsFor(ref: ObjectRef, canary: Canary): readonly AlarmFact[] {
  const labels = labelsOf(ref, { alertname: `Rule-${canary}`, severity: 'page', pod: `pod-${canary}` });
  const notice = (name: string, rest: object): AlarmFact =>
    noticeFact(ref, {
      key: `${alertmanagerUrl} ${name}-${ref.name}`,
      fingerprint: `${name}-${ref.name}`,
      labels: { ...labels, job: name },
      startsAt: sampleNow - 20 * minute,
      receivers: [`oncall-${canary}`],
      ...rest,
    });
  return [
    alertFact(ref, {
      key: `alert ${ref.cluster} ${ref.name}`,
      rule: `file-${canary}.yaml;Rule-${canary}`,
      labels,
      activeAt: sampleNow - 25 * minute,
    }),
    notice('calls', {}),
    notice('held', { state: 'suppressed', silencedBy: [`silence-${canary}`] }),
    notice('unheard', { receivers: [`nobody-${canary}`] }),
  ];
}

/** Alarms of every part of the fleet, told by four sources. */
export function canaryAlarms(): AlarmBook {
  const book = alarmBook();
  const all = [
    source(sources.both, [here, there], 'example'),
    source(sources.here, [here], 'example'),
    source(sources.there, [there], canaries.elsewhere),
    source(sources.any, [], 'example'),
  ];
  for (const one of all) {
    book.apply({ type: 'alarm-source', source: one });
    // What speaks for one cluster alone tells of nothing else; that of `here` names the other all the same, as a label may.
    const told = Object.values(canaries).filter(
      (canary) => one.name !== sources.there || canary === canaries.elsewhere,
    );
    for (const canary of told)
      for (const fact of factsOf(canary)) book.apply({ type: 'alarm-fact', source: one.name, fact });
  }
  return book;
}

/** An alert outside begins to fire, and is told by every source. */
export function fires(ref: ObjectRef, canary: Canary): readonly AlarmChange[] {
  return Object.values(sources).flatMap((name) =>
    alertsFor(ref, canary).map((fact) => ({ type: 'alarm-fact', source: name, fact }) as const),
  );
}

/** Somebody was called for each part of the fleet. */
export const canaryCalls: readonly AlarmCall[] = Object.values(canaries).map((canary) => ({
  source: canary === canaries.elsewhere ? sources.there : sources.both,
  key: `${alertmanagerUrl} called-${canary}`,
  alert: `Rule-${canary}`,
  labels: labelsOf(roots[canary], { alertname: `Rule-${canary}`, pod: `pod-${canary}` }),
  cluster: roots[canary].cluster,
  receivers: [`oncall-${canary}`],
  readsObjects: true,
  startsAt: sampleNow - 2 * hour,
  from: sampleNow - 2 * hour,
  to: null,
}));
