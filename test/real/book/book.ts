import { address } from './chapters/address.ts';
import { argocd } from './chapters/argocd.ts';
import { artifacts } from './chapters/artifacts.ts';
import { bedItself } from './chapters/bed-itself.ts';
import { births } from './chapters/births.ts';
import { clocks } from './chapters/clocks.ts';
import { clusters } from './chapters/clusters.ts';
import { commands } from './chapters/commands.ts';
import { commits } from './chapters/commits.ts';
import { helmController, kustomizeController, shards, sourceController, unserved } from './chapters/controllers.ts';
import { crossplane } from './chapters/crossplane.ts';
import { core, provider } from './chapters/crossplane-outages.ts';
import { deletions } from './chapters/deletions.ts';
import { fights } from './chapters/fights.ts';
import { flapping } from './chapters/flapping.ts';
import { hands } from './chapters/hands.ts';
import { late } from './chapters/late.ts';
import { outgoing } from './chapters/outgoing.ts';
import { readiness } from './chapters/readiness.ts';
import { releases } from './chapters/releases.ts';
import { remote } from './chapters/remote.ts';
import { restarts } from './chapters/restarts.ts';
import { sources } from './chapters/sources.ts';
import { waitings } from './chapters/waits.ts';
import { weakenings } from './chapters/weakenings.ts';
import type { Act } from './situation.ts';

/** The book of situations. test/real/BOOK.md is written from it (test/real/book/print.ts). */
export const book: readonly Act[] = [
  { title: 'The bed stands', chapters: [bedItself] },
  { title: 'A fleet that runs', chapters: [births, commands, address] },
  {
    title: 'A day',
    chapters: [
      commits,
      outgoing,
      flapping,
      sources,
      artifacts,
      weakenings,
      hands,
      fights,
      releases,
      crossplane,
      waitings,
      readiness,
      deletions,
      remote,
      unserved,
    ],
  },
  { title: 'Plumbline itself', chapters: [restarts, clocks] },
  { title: 'Outages of controllers', chapters: [kustomizeController, shards, helmController, provider, argocd] },
  { title: 'Outages of clusters', chapters: [sourceController, core, clusters] },
  { title: 'What takes its time', chapters: [late] },
];

/**
 * The acts with only the chapters that are named, e.g. "fights,hands", and those that they build on; all where nothing is
 * named. An unknown name is an error.
 */
export function selected(acts: readonly Act[], names: string | undefined): readonly Act[] {
  if (names === undefined || names === '') return acts;
  const chapters = acts.flatMap((act) => act.chapters);
  const wanted = new Set(names.split(',').map((name) => name.trim()));
  for (const name of wanted) {
    const chapter = chapters.find((one) => one.name === name);
    if (chapter === undefined)
      throw new Error(`no chapter is called ${name}; there are ${chapters.map((one) => one.name).join(', ')}`);
    for (const before of chapter.after ?? []) wanted.add(before);
  }
  return acts
    .map((act) => ({ ...act, chapters: act.chapters.filter(({ name }) => wanted.has(name)) }))
    .filter((act) => act.chapters.length > 0);
}
