import { isNormalPath } from '../address/normal-path.ts';
import { periodPresets, type PeriodPreset } from '../time/report-period.ts';
import type { ObjectRef } from '../observation/ref.ts';
import { parseRefKey, refKey } from '../observation/ref.ts';

/** Clusters, as a report takes them: all, those with a label, one. */
export type ClustersScope =
  | { readonly type: 'fleet' }
  | { readonly type: 'label'; readonly key: string; readonly value: string }
  | { readonly type: 'cluster'; readonly cluster: string };

/** Figures of a report that can stand alone. */
export const figureNames = ['converged', 'incidents', 'overdue', 'arrival'] as const;
export type FigureName = (typeof figureNames)[number];

/**
 * Scope of an embed or a badge: the fleet, the clusters with a label, one cluster, one column of the matrix (by its
 * id in the view by delivery), one object, one figure of a report. Nothing outside of it may be reached or counted through its link.
 */
export type EmbedScope =
  | ClustersScope
  | { readonly type: 'column'; readonly column: string }
  | { readonly type: 'object'; readonly ref: ObjectRef }
  | {
      readonly type: 'figure';
      readonly figure: FigureName;
      readonly period: PeriodPreset;
      readonly of: ClustersScope;
    };

/** A page to frame, or a picture for a line of text. */
export type EmbedForm = 'embed' | 'badge';

/** Forms of a scope as people write it and `parseScope` reads it. */
export const scopeForms =
  'fleet, label:KEY=VALUE, cluster:NAME, column:KIND/NAME, object:CLUSTER/GROUP/KIND/NAMESPACE/NAME or figure:NAME/PERIOD/(fleet, label:..., cluster:...)';

/** A scope as one text: "cluster:eu-west-3", "label:environment=production", "object:" and a `refKey`. */
export function scopeText(scope: EmbedScope): string {
  switch (scope.type) {
    case 'fleet':
      return 'fleet';
    case 'label':
      return `label:${scope.key}=${scope.value}`;
    case 'cluster':
      return `cluster:${scope.cluster}`;
    case 'column':
      return `column:${scope.column}`;
    case 'object':
      return `object:${refKey(scope.ref)}`;
    case 'figure':
      return `figure:${scope.figure}/${scope.period}/${scopeText(scope.of)}`;
  }
}

/** The scope behind a text; null where it is none, or where no link could carry it. */
export function parseScope(text: string): EmbedScope | null {
  const scope = scopeOfText(text);
  return scope !== null && segmentsOf(scope).every(isUsableSegment) ? scope : null;
}

function scopeOfText(text: string): EmbedScope | null {
  if (text === 'fleet') return { type: 'fleet' };
  const cut = text.indexOf(':');
  const rest = text.slice(cut + 1);
  switch (text.slice(0, Math.max(0, cut))) {
    case 'label':
      return labelScope(rest);
    case 'cluster':
      return { type: 'cluster', cluster: rest };
    case 'column':
      return { type: 'column', column: rest };
    case 'object': {
      const ref = parseRefKey(rest);
      return ref === null ? null : { type: 'object', ref };
    }
    case 'figure': {
      const [figure, period, ...of] = rest.split('/');
      return figureScope(figure, period, scopeOfText(of.join('/')));
    }
    default:
      return null;
  }
}

/** A report's query parts names and labels by commas: what holds one could not be told from two. */
function figureScope(figure: string | undefined, period: string | undefined, of: EmbedScope | null): EmbedScope | null {
  const name = figureNames.find((known) => known === figure);
  const preset = periodPresets.find((known) => known === period);
  if (name === undefined || preset === undefined || of === null) return null;
  switch (of.type) {
    case 'fleet':
    case 'label':
    case 'cluster':
      return scopeText(of).includes(',') ? null : { type: 'figure', figure: name, period: preset, of };
    case 'column':
    case 'object':
    case 'figure':
      return null;
  }
}

function labelScope(pair: string): EmbedScope | null {
  const cut = pair.indexOf('=');
  return cut < 1 ? null : { type: 'label', key: pair.slice(0, cut), value: pair.slice(cut + 1) };
}

/** Browsers fold some segments away, an empty one is lost on the way, and others would not be let in. */
function isUsableSegment(segment: string): boolean {
  return segment !== '' && segment.isWellFormed() && isNormalPath(`/${encodeURIComponent(segment)}`);
}

const NONE = '-';

function segmentsOf(scope: EmbedScope): readonly string[] {
  switch (scope.type) {
    case 'fleet':
      return ['fleet'];
    case 'label':
      return ['labels', ...scope.key.split('/'), scope.value];
    case 'cluster':
      return ['clusters', scope.cluster];
    case 'column':
      return ['columns', ...scope.column.split('/')];
    case 'object': {
      const { cluster, group, kind, namespace, name } = scope.ref;
      return ['objects', cluster, group || NONE, kind, namespace || NONE, name];
    }
    case 'figure':
      return ['figures', scope.figure, scope.period, ...segmentsOf(scope.of)];
  }
}

/**
 * The path of a scope: /embed/fleet, /embed/labels/KEY/VALUE, /embed/clusters/NAME, /embed/columns/KIND/NAME,
 * /embed/objects/CLUSTER/GROUP/KIND/NAMESPACE/NAME ("-" for the core group and for no namespace), /embed/figures/NAME/PERIOD/ with the path of its clusters; /badge/....svg likewise.
 * One path per scope: it is what a link's signature stands for.
 */
export function scopePath(scope: EmbedScope, form: EmbedForm): string {
  const tail = segmentsOf(scope).map(encodeURIComponent).join('/');
  return form === 'embed' ? `/embed/${tail}` : `/badge/${tail}.svg`;
}

/** Scope that a path of `scopePath` stands for; null for every other path, also for one that only means the same. */
export function scopeOfPath(path: string): { readonly form: EmbedForm; readonly scope: EmbedScope } | null {
  const form = path.startsWith('/embed/') ? 'embed' : path.startsWith('/badge/') ? 'badge' : null;
  if (form === null) return null;
  const segments = decoded(path.slice('/embed/'.length, form === 'badge' ? -'.svg'.length : undefined));
  const scope = segments === null ? null : scopeOfSegments(segments);
  return scope !== null && segmentsOf(scope).every(isUsableSegment) && scopePath(scope, form) === path
    ? { form, scope }
    : null;
}

function decoded(tail: string): readonly string[] | null {
  try {
    return tail.split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

function scopeOfSegments([first, ...rest]: readonly string[]): EmbedScope | null {
  switch (first) {
    case 'fleet':
      return rest.length === 0 ? { type: 'fleet' } : null;
    case 'labels': {
      const key = rest.slice(0, -1).join('/');
      // Its text could not be told from another label's.
      return key === '' || key.includes('=') ? null : { type: 'label', key, value: rest.at(-1) ?? '' };
    }
    case 'clusters':
      return rest.length === 1 ? { type: 'cluster', cluster: rest.join('/') } : null;
    case 'columns':
      return { type: 'column', column: rest.join('/') };
    case 'objects':
      return objectScope(rest);
    case 'figures': {
      const [figure, period, ...of] = rest;
      return figureScope(figure, period, scopeOfSegments(of));
    }
    default:
      return null;
  }
}

function objectScope(segments: readonly string[]): EmbedScope | null {
  if (segments.some((segment) => segment.includes('/'))) return null;
  const [cluster, group, kind, namespace, name] = segments;
  const ref = parseRefKey(
    [cluster, group === NONE ? '' : group, kind, namespace === NONE ? '' : namespace, name].join('/'),
  );
  return ref === null || segments.length !== 5 ? null : { type: 'object', ref };
}
