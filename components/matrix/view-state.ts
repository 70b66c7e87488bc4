'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates, useQueryState } from 'nuqs';
import { FleetView } from '#lib/api/fleet.ts';
import { scopeNames, scopeOf, scopeLabel } from '#lib/api/scope.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';

const usual = FleetView.parse({});

/** The view as it stands in the URL, by the names of FleetView; what is as usual stays out of it. */
const parsers = {
  columns: parseAsString.withDefault(usual.columns),
  rows: parseAsString.withDefault(usual.rows),
  show: parseAsString.withDefault(usual.show),
  verdict: parseAsString.withDefault(usual.verdict),
  q: parseAsString.withDefault(usual.q),
  cluster: parseAsString.withDefault(usual.cluster),
  reconciler: parseAsString.withDefault(usual.reconciler),
  namespace: parseAsString.withDefault(usual.namespace),
  label: parseAsString.withDefault(usual.label),
  sort: parseAsStringLiteral(['worst', 'name']).withDefault(usual.sort),
};

export type ChangeView = (change: Partial<FleetView>) => void;

/** The view and how to change it; changing it replaces the entry in the history. */
export function useView(): readonly [FleetView, ChangeView] {
  const [view, setView] = useQueryStates(parsers, { history: 'replace' });
  return [view, (change) => void setView(change)];
}

/** The parts of a view that differ from the usual one, as parameters of the API and the stream. */
export function paramsOf(view: FleetView): Record<string, string> {
  const plain = new Map(Object.entries(usual));
  return Object.fromEntries(Object.entries(view).filter(([name, value]) => plain.get(name) !== value));
}

/** The verdicts that a view shows; empty for all. */
export function shownVerdicts(view: FleetView): readonly Verdict[] {
  const named = new Set(view.verdict.split(','));
  return verdicts.filter((verdict) => named.has(verdict));
}

/** The same view of the whole fleet. */
export function unfiltered(view: FleetView): FleetView {
  return { ...view, cluster: '', reconciler: '', namespace: '', label: '', q: '', verdict: '' };
}

/** A filter that is set, in words, and the change that takes it away. */
export interface SetFilter {
  readonly name: string;
  readonly text: string;
  readonly without: Partial<FleetView>;
}

/** The filters that are set, so that what emptied a screen can be named. */
export function filtersOf(view: FleetView): readonly SetFilter[] {
  const scope = scopeOf(view);
  const set = scopeNames.flatMap((name): SetFilter[] =>
    scope[name] === '' ? [] : [{ name, text: scopeLabel(name, scope[name]), without: { [name]: '' } }],
  );
  if (view.verdict === '') return set;
  const shown = `rows and columns with ${shownVerdicts(view).join(' or ')}`;
  return [...set, { name: 'verdict', text: shown, without: { verdict: '' } }];
}

/** Colour of the cells, as the URL has it, and how to change it: `commit`, the one that runs; null, their verdict. */
export function useColour() {
  const by = parseAsStringLiteral(['commit']).withOptions({ history: 'replace' });
  return useQueryState('colour', by);
}

/** Layout of the fleet, as the URL has it: `wall` for a screen on the wall, null for the page. */
export function useLayout(): 'wall' | null {
  const [layout] = useQueryState('view', parseAsStringLiteral(['wall']));
  return layout;
}
