import type { WireWay } from '#lib/api/pager/go.ts';
import { clusterPath, incidentsPath, listPath } from '#lib/api/paths.ts';
import type { Wanted } from '#lib/domain/pager/given.ts';
import type { Match } from '#lib/domain/pager/match.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { foreignName } from '#lib/foreign-words.ts';
import { countOf } from '#lib/format/number.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { clusterOf, kindIn } from './known-parts.ts';

const fleetWay: WireWay = { text: 'Fleet', href: '/' };

/** Pages to go on from where an object was found; of several the list that has all of them, by the parts that they have in common. */
export function wayToAll(match: Exclude<Match<CurrentObject>, { type: 'none' }>, total: number): WireWay[] {
  if (match.type !== 'several')
    return [
      { text: `Everything on ${match.object.ref.cluster}`, href: clusterPath(match.object.ref.cluster) },
      fleetWay,
    ];
  const filter = inCommon(match.objects.map(({ ref }) => ref));
  return [{ text: `All ${countOf(total, 'object')} as a list`, href: listPath(filter) }, fleetWay];
}

/** The parts that all of these have in common, as a filter of the list of objects. */
function inCommon(refs: readonly ObjectRef[]): { readonly [part: string]: string } {
  const [first] = refs;
  if (first === undefined) return {};
  const parts = ['cluster', 'group', 'kind', 'namespace', 'name'] as const;
  const same = parts.filter((part) => refs.every((ref) => ref[part] === first[part]));
  return Object.fromEntries(same.map((part) => [part, first[part] === '' ? '-' : first[part]]));
}

/** Pages to go on from where no object was found: only those that are there. */
export function waysFrom(wanted: Wanted, fleet: readonly KnownCluster[]): WireWay[] {
  const here = clusterOf(wanted, fleet);
  const kind = kindIn(wanted, here === null ? fleet : [here]);
  const on = here === null ? {} : { cluster: here.name };
  const onWords = here === null ? 'on every cluster' : `on ${here.name}`;
  const ways: WireWay[] = [];
  if (here !== null) ways.push({ text: `Everything ${onWords}`, href: clusterPath(here.name) });
  if (kind !== null) ways.push({ text: `${kind.kind} ${onWords}`, href: listPath({ ...on, kind: kind.kind }) });
  if (wanted.name !== null) {
    const name = foreignName(wanted.name.value);
    ways.push({ text: `Objects with ${name} in their name`, href: listPath({ q: name }) });
  }
  ways.push({ text: here === null ? 'Incidents' : `Incidents ${onWords}`, href: incidentsPath(on) });
  return [...ways, fleetWay];
}
