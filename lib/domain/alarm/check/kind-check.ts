import { isEvaluated } from '../book/well-rule.ts';
import type { RuleFact, ScopeFact, ScopeStanding } from '../fact.ts';
import { objectHash } from '../object-hash.ts';
import { clockResets, type ConditionLabel, conditionLabels, faultsFound, watchesAbsence } from './rule-condition.ts';
import { callsOf, type Calls } from './rule-calls.ts';
import { type CheckedKind, type CheckedSource, type CheckTerms, type GapType, gapTypes } from './checked.ts';

/** Outcome for a kind on a cluster. */
export type KindOutcome =
  | { readonly type: 'sound' }
  | { readonly type: 'unclear'; readonly why: string }
  | {
      readonly type: 'gap';
      readonly gap: GapType;
      readonly objects: number;
      readonly text: string;
      readonly mend: string;
    };

/** The outcome by all sources that speak for a cluster: it is alarmed on if any does; while one cannot tell, nothing is missing. */
export function bestOutcome(outcomes: readonly KindOutcome[]): KindOutcome {
  const sound = outcomes.find(({ type }) => type === 'sound');
  const unclear = outcomes.find(({ type }) => type === 'unclear');
  const gaps = outcomes.filter((outcome) => outcome.type === 'gap').toSorted((a, b) => rank(b.gap) - rank(a.gap));
  return sound ?? unclear ?? gaps[0] ?? { type: 'unclear', why: 'No alarm source was read.' };
}

function rank(gap: GapType): number {
  return gapTypes.indexOf(gap);
}

/** A rule that asks for a condition, with the objects that it reads. */
interface RuleReading {
  readonly rule: RuleFact;
  readonly values: ReadonlySet<string>;
  readonly objects: ReadonlySet<number>;
  /** The fault of the rule itself; null for none. */
  readonly fault: 'not-evaluated' | 'resets' | 'late' | 'not-routed' | 'unclear' | null;
}

/** The outcome for a kind by one source that is believed. */
export function checkedBy(source: CheckedSource, kind: CheckedKind, terms: CheckTerms): KindOutcome {
  const scopes = source.facts.filter((fact) => fact.type === 'scope');
  const wanted = kind.objects.map(({ namespace, name }) => objectHash(namespace, name));
  const exported = objectsOf(scopes, kind, kind.cluster);
  const missing = wanted.filter((hash) => !exported.has(hash));
  if (missing.length > 0) return notExported(source, kind, missing, objectsOf(scopes, kind, null));
  const rules = source.facts.filter((fact) => fact.type === 'rule').filter((rule) => !watchesAbsence(rule));
  const calls = callsOf(source, kind);
  return (
    kind.conditions
      .map((condition) => ofCondition({ source, kind, terms, scopes, wanted, rules, calls }, condition))
      .find(({ type }) => type !== 'sound') ?? { type: 'sound' }
  );
}

/** Numbers of the objects of a kind in scopes of a cluster. */
function objectsOf(scopes: readonly ScopeFact[], kind: CheckedKind, cluster: string | null): ReadonlySet<number> {
  const name = kind.kind.toLowerCase();
  return new Set(
    scopes.flatMap((scope) =>
      scope.cluster === cluster && Object.hasOwn(scope.objects, name) ? (scope.objects[name] ?? []) : [],
    ),
  );
}

function notExported(
  source: CheckedSource,
  { kind, cluster, objects }: CheckedKind,
  missing: readonly number[],
  nameless: ReadonlySet<number>,
): KindOutcome {
  const { name, cut } = source;
  if (cut) return { type: 'unclear', why: `Not all that ${name} has was read.` };
  const [untold] = untoldScopes(source).values();
  if (untold !== undefined) return { type: 'unclear', why: untoldText(name, untold) };
  if (missing.some((hash) => nameless.has(hash)))
    return { type: 'unclear', why: `Series of ${kind} in ${name} name no cluster, and it speaks for several.` };
  return {
    type: 'gap',
    gap: 'not-exported',
    objects: missing.length,
    text: `${name} has no series of ${missing.length} of ${objects.length} ${kind} on ${cluster}.`,
    mend: 'Give kube-state-metrics there the configuration and the role that plumbline rules writes, and have it scraped.',
  };
}

/** Scopes that were asked for in vain, by their texts: there may be series of them. */
function untoldScopes({ facts }: CheckedSource): ReadonlyMap<string, ScopeStanding> {
  return new Map(
    facts.flatMap((fact) => (fact.type === 'scope-standing' && fact.series === null ? [[fact.key, fact]] : [])),
  );
}

function untoldText(name: string, { key, reason }: ScopeStanding): string {
  return `${name} did not tell its series of ${key}${reason === null ? '.' : `: ${reason}`}`;
}

interface Asked {
  readonly source: CheckedSource;
  readonly kind: CheckedKind;
  readonly terms: CheckTerms;
  readonly scopes: readonly ScopeFact[];
  readonly wanted: readonly number[];
  readonly rules: readonly RuleFact[];
  readonly calls: Calls;
}

interface Found {
  readonly gap: GapType | 'unclear';
  readonly rule: RuleFact | null;
  readonly blindTo: readonly string[];
}

function ofCondition(asked: Asked, condition: ConditionLabel): KindOutcome {
  const { readings, unclear } = readingsOf(asked, condition);
  const found = new Map<GapType | 'unclear', { readonly first: Found; objects: number }>();
  for (const hash of asked.wanted) {
    const one = gapOf(
      readings.filter(({ objects }) => objects.has(hash)),
      condition,
    );
    if (one === null) continue;
    const gap = one.gap === 'not-read' && unclear !== null ? 'unclear' : one.gap;
    const before = found.get(gap);
    if (before === undefined) found.set(gap, { first: one, objects: 1 });
    else before.objects += 1;
  }
  for (const gap of gapTypes) {
    const these = found.get(gap);
    if (these === undefined) continue;
    if (asked.source.cut) return { type: 'unclear', why: `Not all that ${asked.source.name} has was read.` };
    return { type: 'gap', gap, objects: these.objects, ...words(asked, condition, gap, these.first) };
  }
  return found.has('unclear') ? { type: 'unclear', why: unclear ?? asked.calls.why } : { type: 'sound' };
}

/** The rules that ask for a condition; why one of them cannot be taken apart, null where all can. */
function readingsOf(
  { source, kind, scopes, rules, terms, calls }: Asked,
  condition: ConditionLabel,
): { readonly readings: readonly RuleReading[]; readonly unclear: string | null } {
  const readings: RuleReading[] = [];
  const untold = untoldScopes(source);
  let unclear: string | null = null;
  for (const rule of rules) {
    if (rule.selectors === null) unclear ??= `The expression of rule ${rule.name} could not be taken apart.`;
    for (const selector of rule.selectors ?? []) {
      const values = faultsFound(selector, condition);
      if (values === null) continue;
      const objects = objectsOf(
        scopes.filter(({ scope }) => scope === selector.scope),
        kind,
        kind.cluster,
      );
      const lost = untold.get(selector.scope);
      if (lost !== undefined) unclear ??= untoldText(source.name, lost);
      if (objects.size === 0) continue;
      if (values === 'unclear') unclear ??= `It cannot be told of rule ${rule.name} which faults it finds.`;
      else readings.push({ rule, values, objects, fault: faultOf(rule, source.readAt, terms, calls) });
    }
  }
  return { readings, unclear };
}

function faultOf(
  rule: RuleFact,
  readAt: number | null,
  { alarmWithin }: CheckTerms,
  calls: Calls,
): RuleReading['fault'] {
  if (!isEvaluated(rule, readAt)) return 'not-evaluated';
  if (clockResets(rule)) return 'resets';
  if (rule.holds > alarmWithin) return 'late';
  switch (calls.ofRule(rule)) {
    case 'calls':
      return null;
    case 'nobody':
      return 'not-routed';
    case 'unclear':
      return 'unclear';
  }
}

/** The gap of one object by the rules that read it; null where it is alarmed on. */
function gapOf(readings: readonly RuleReading[], condition: ConditionLabel): Found | null {
  const [any] = readings;
  if (any === undefined) return { gap: 'not-read', rule: null, blindTo: [] };
  const sound = readings.filter(({ fault }) => fault === null);
  const blindTo = conditionLabels[condition].faults.filter((value) => !sound.some(({ values }) => values.has(value)));
  if (blindTo.length === 0) return null;
  const unclear = readings.find(({ fault }) => fault === 'unclear');
  if (unclear !== undefined) return { gap: 'unclear', rule: unclear.rule, blindTo: [] };
  const [best] = sound;
  if (best !== undefined) return { gap: 'blind', rule: best.rule, blindTo };
  const furthest = readings.toSorted((a, b) => faultRank(b.fault) - faultRank(a.fault))[0] ?? any;
  return { gap: furthest.fault ?? 'not-read', rule: furthest.rule, blindTo };
}

function faultRank(fault: RuleReading['fault']): number {
  return fault === null || fault === 'unclear' ? gapTypes.length : rank(fault);
}

/** The gap in a sentence, and its mend. */
function words(
  { source, kind, terms }: Asked,
  condition: ConditionLabel,
  gap: GapType,
  { rule, blindTo }: Found,
): { readonly text: string; readonly mend: string } {
  const name = rule?.name ?? '';
  const anew = 'Load the rules that plumbline rules writes.';
  const { good } = conditionLabels[condition];
  switch (gap) {
    case 'no-source':
    case 'not-exported':
    case 'not-read':
      return { text: `No rule in ${source.name} reads ${condition} of ${kind.kind}.`, mend: anew };
    case 'not-evaluated':
      return {
        text: `Rule ${name} cannot be evaluated, or was not of late${rule?.error ? `: ${rule.error}` : ''}.`,
        mend: `Look at the rule and at its Prometheus.`,
      };
    case 'resets':
      return {
        text: `Rule ${name} keeps labels that change while an object is away: its for begins anew with each change.`,
        mend: 'Aggregate it by labels that stand still: cluster, customresource_group, customresource_kind, exported_namespace, name.',
      };
    case 'late':
      return {
        text: `Rule ${name} waits for ${Math.round((rule?.holds ?? 0) / 1000)} s, longer than policy.alarmWithin (${Math.round(terms.alarmWithin / 1000)} s).`,
        mend: 'Shorten its for, or change the policy.',
      };
    case 'not-routed':
      return {
        text: `Rule ${name} is routed to nobody who is called.`,
        mend: 'Route it to a receiver that calls somebody. The Prometheus operator adds a matcher on namespace to the routes of an AlertmanagerConfig.',
      };
    case 'blind':
      return {
        text: `Rule ${name} is not true of an object whose ${condition} is ${blindTo.map((value) => (value === '' ? 'absent' : value)).join(' or ')}.`,
        mend: `Ask for ${condition}!="${good}".`,
      };
  }
}
