// Somebody who sees a namespace, and writes objects in it, names in them composites, claims and parts that lie outside of what he sees.
import { describe, expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { type Bed, startBed } from '#server/collector/model/testing/bed.ts';
import { kinds, ownedBy, type ObjectPart, ready } from '#server/collector/model/testing/objects.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { answersToPart } from './told-to-part.ts';

const { database, helmRelease, providerRevision } = kinds;
const instance: WatchedKind = { ...kinds.instance, namespaced: true };
const app: WatchedKind = { ...database, kind: 'App', resource: 'apps', namespaced: true };
const claim: WatchedKind = { ...app, kind: 'Database', resource: 'databases', categories: ['claim'] };

/** Kinds of which one is hidden, and named by objects of somebody's own. */
const hiddenKinds = [database, instance, app, claim, helmRelease] as const;
/** Kinds of his own objects. */
const ownKinds = [instance, app, claim] as const;

/** Fates of what is named: it is not there, well, fails, fails or goes or comes later, is switched off. */
const fates = ['nothing', 'well', 'failing', 'fails later', 'goes later', 'comes later', 'paused'] as const;
type Fate = (typeof fates)[number];

function conditions(bed: Bed, isWell: boolean): readonly object[] {
  const at = bed.clock.now();
  const synced = isWell ? ready('True', 'ReconcileSuccess', at) : ready('False', 'ReconcileError', at);
  return [ready('True', 'Available', at), { ...synced, type: 'Synced' }];
}

function hidden(bed: Bed, kind: WatchedKind, fate: Fate): ForeignObject {
  const isOff = fate === 'paused' ? { annotations: { 'crossplane.io/paused': 'true' } } : {};
  const status = { conditions: conditions(bed, fate !== 'failing'), observedGeneration: 1 };
  return bed.object(kind, 'secret', { uid: 'uid-of-the-hidden', ...isOff, status });
}

function reference(kind: WatchedKind, namespace?: string): object {
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    name: 'secret',
    ...(namespace && { namespace }),
  };
}

/** The words by which an object of a kind names each of the hidden ones. */
function naming(kind: WatchedKind, named: WatchedKind): ObjectPart {
  const namespace = named.namespaced ? 'flux-system' : undefined;
  const ref = reference(named, namespace);
  if (kind === claim) return { spec: { resourceRef: ref } };
  const labels = { 'crossplane.io/composite': 'secret', 'crossplane.io/claim-name': 'secret' };
  const owners = [ownedBy(named, 'secret', 'uid-of-nobody')];
  if (kind === instance) return { labels, owners };
  return { labels, owners, spec: { claimRef: ref, resourceRefs: [ref], crossplane: { resourceRefs: [ref] } } };
}

const nameOf = (kind: WatchedKind, named: WatchedKind): string => `${kind.kind}-of-${named.kind}`.toLowerCase();

function own(bed: Bed, kind: WatchedKind): readonly ForeignObject[] {
  const status = { conditions: conditions(bed, true), observedGeneration: 1 };
  return hiddenKinds.map((named) => {
    const made = bed.object(kind, nameOf(kind, named), { ...naming(kind, named), status });
    return { ...made, metadata: { ...Object(made['metadata']), namespace: 'apps' } };
  });
}

function provider(bed: Bed): ForeignObject {
  const at = bed.clock.now();
  const healthy = ['RevisionHealthy', 'RuntimeHealthy'].map((type) => ({
    ...ready('True', 'HealthyPackageRevision', at),
    type,
  }));
  const objectRefs = [{ kind: 'CustomResourceDefinition', name: `${instance.resource}.${instance.group}` }];
  return bed.object(providerRevision, 'provider', {
    spec: { desiredState: 'Active' },
    status: { conditions: healthy, objectRefs },
  });
}

/** Plays one fate on a cluster, for ten minutes that end now. Gives what the collector wrote. */
function play(fate: Fate): Bed {
  const bed = startBed(null, sampleNow - 10 * minute);
  const isFirst = fate !== 'nothing' && fate !== 'comes later';
  const first = new Map(hiddenKinds.map((kind) => [kind, hidden(bed, kind, fate)] as const));
  bed.open([
    [providerRevision, provider(bed)],
    ...hiddenKinds.map((kind): readonly [WatchedKind, ...ForeignObject[]] => {
      const [there] = isFirst ? [first.get(kind)] : [];
      const owns = ownKinds.find((one) => one === kind);
      return [kind, ...(there ? [there] : []), ...(owns ? own(bed, owns) : [])];
    }),
  ]);
  bed.pass(3 * minute);
  for (const [kind, object] of first) {
    if (fate === 'fails later') bed.write(kind, hidden(bed, kind, 'failing'));
    if (fate === 'comes later') bed.write(kind, hidden(bed, kind, 'well'));
    if (fate === 'goes later') bed.remove(kind, object);
  }
  bed.pass(3 * minute);
  bed.pass(sampleNow - bed.clock.now() - 50);
  bed.model.stop();
  return bed;
}

const objects = ownKinds.flatMap((kind) => hiddenKinds.map((named) => ({ ...kind, name: nameOf(kind, named) })));

/** Words of what an object of a namespace names without one: that is of the same, and told as it stands in there. */
const ofHisOwn =
  /\w+ secret, (?:which it is a part of|a part of it), is not there\.|made of \w+ secret: missing|part of \w+ secret: missing/g;

describe('who names a composite, a claim or a part that he does not see', () => {
  it('is told the same whatever became of it, and whether it is there', async () => {
    const told = await answersToPart(play('nothing'), objects);
    const list = told.get('objects?limit=500');
    for (const word of ['CompositeNotSeen', 'PartMissing']) expect(list).toContain(word);
    for (const fate of fates) expect([fate, await answersToPart(play(fate), objects)]).toEqual([fate, told]);
  });

  it('is told nothing that lies outside by its name', async () => {
    const told = await answersToPart(play('failing'), objects);
    // Some answers repeat the word that they were asked for; what a composite of a namespace names without one is of its own.
    const repeats = ['objects?q=secret', 'go?', 'name=app-of-xdatabase'];
    for (const [address, answer] of told) {
      if (repeats.some((asked) => address.includes(asked))) continue;
      const words = answer.replaceAll(ofHisOwn, '');
      expect([address, words]).toEqual([address, expect.not.stringMatching(/\bsecret\b/)]);
    }
  });
});
