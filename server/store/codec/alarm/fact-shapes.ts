import type { AlarmFact, Matcher, Route, RuleSelector } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource, ClusterAttribution, ProgramStanding } from '#lib/domain/alarm/source.ts';
import type { Sort } from '../shape.ts';

type Shape<T> = { readonly [K in Exclude<keyof Required<T>, 'type'>]: Sort };
type FactShapes = {
  readonly [T in AlarmFact['type']]: Shape<Extract<AlarmFact, { readonly type: T }>>;
};

/**
 * Which version of these shapes a stored fact is of: one more with every change of them. A fact of another version is left out, and its source counts
 * as cut until the collector has read it anew.
 */
export const alarmFormat = 2;

/** The format of a fact that was too large to be kept: that it was there is all that is stored of it. */
export const tooLargeFormat = 0;

/** Fields of facts by type. */
export const factShapes: FactShapes = {
  rule: {
    key: 'text',
    name: 'text',
    group: 'text',
    file: 'text',
    query: 'text',
    holds: 'number',
    interval: 'number',
    labels: 'record',
    health: 'text',
    error: 'text?',
    evaluatedAt: 'number?',
    selectors: 'anything',
    keeps: 'anything',
    firedAt: 'number?',
  },
  alert: { key: 'text', rule: 'text', labels: 'record', state: 'text', activeAt: 'number' },
  notice: {
    key: 'text',
    alertmanager: 'text',
    fingerprint: 'text',
    labels: 'record',
    startsAt: 'number',
    state: 'text',
    silencedBy: 'list',
    inhibitedBy: 'list',
    mutedBy: 'list',
    receivers: 'list',
  },
  silence: {
    key: 'text',
    state: 'text',
    startsAt: 'number',
    endsAt: 'number',
    by: 'text',
    comment: 'text',
    matchers: 'list',
  },
  receiver: { key: 'text', alertmanager: 'text', name: 'text', calls: 'list' },
  routing: { key: 'text', root: 'record' },
  scope: { key: 'text', scope: 'text', cluster: 'text?', series: 'number', objects: 'record' },
  'scope-standing': { key: 'text', series: 'number?', reason: 'text?' },
};

/** Fields of what stands within facts. */
export const partShapes: {
  readonly matcher: Shape<Matcher>;
  readonly selector: Shape<RuleSelector>;
  readonly route: Shape<Route>;
} = {
  matcher: { name: 'text', operator: 'text', value: 'text' },
  selector: { metric: 'text?', scope: 'text', states: 'list' },
  route: { receiver: 'text', matchers: 'list', continues: 'yes-no', routes: 'list', isWhole: 'yes-no' },
};

/** Fields of a source's own record, and of what stands within it. */
export const sourceShapes: {
  readonly source: Shape<AlarmSource>;
  readonly attribution: Shape<ClusterAttribution>;
  readonly program: Shape<ProgramStanding>;
} = {
  source: { name: 'text', attribution: 'record', programs: 'list', cut: 'list' },
  attribution: { label: 'text', aliases: 'record', clusters: 'list' },
  program: {
    program: 'text',
    url: 'text',
    state: 'text',
    since: 'number',
    reason: 'text?',
    readAt: 'number?',
    validUntil: 'number',
  },
};
