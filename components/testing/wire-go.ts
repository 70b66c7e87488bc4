import type { WireGo } from '#lib/api/pager/go.ts';
import { moment } from './wire-fleet.ts';

/** An answer that no object fits: a name that is misspelled, on a cluster that is seen. */
export function wireGo(over: Partial<WireGo> = {}): WireGo {
  return {
    asOf: new Date(moment).toISOString(),
    at: null,
    timeNote: null,
    outcome: 'none',
    sentence: 'No Kustomization flux-system/chekout is known on eu-west-3.',
    assumed: [],
    unread: [],
    given: [
      { name: 'cluster', value: 'eu-west-3' },
      { name: 'kind', value: 'Kustomization' },
      { name: 'name', value: 'chekout' },
    ],
    found: [],
    foundBy: [],
    target: null,
    objects: [],
    total: 0,
    known: ['Cluster eu-west-3 is seen: 112 objects known there.'],
    nearest: [],
    recorded: [],
    thereNow: [],
    incidents: [],
    incidentsOn: 'eu-west-3',
    ways: [
      { text: 'Everything on eu-west-3', href: '/clusters/eu-west-3' },
      { text: 'Fleet', href: '/' },
    ],
    ...over,
  };
}
