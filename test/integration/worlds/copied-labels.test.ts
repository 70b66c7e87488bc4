// Somebody who sees a namespace, and writes objects in it, gives them the owner labels of something that lies outside of what he sees.
import { expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { type Bed, startBed } from '#server/collector/model/testing/bed.ts';
import {
  kinds,
  kustomizationSpec,
  listing,
  type ObjectPart,
  offering,
  passedWell,
  ready,
  revision,
} from '#server/collector/model/testing/objects.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { answersToPart } from './told-to-part.ts';

const { gitRepository, helmRelease, instance, kustomization, terraform } = kinds;

/** Fates of the applier that the labels name: it is not there, lists something else and is well, fails, or never applied anything. */
const fates = ['nothing', 'well', 'failing', 'fails later', 'goes later', 'never applied'] as const;
type Fate = (typeof fates)[number];

const applierKinds = { Kustomization: kustomization, HelmRelease: helmRelease } as const;
type Applier = keyof typeof applierKinds;

function labelsOf(kind: Applier): ObjectPart {
  const { group } = applierKinds[kind];
  return { labels: { [`${group}/name`]: 'secret', [`${group}/namespace`]: 'flux-system' } };
}

/** The same object in the namespace that is seen. */
function inApps(object: ForeignObject): ForeignObject {
  return { ...object, metadata: { ...Object(object['metadata']), namespace: 'apps' } };
}

function hidden(bed: Bed, kind: Applier, isWell: boolean, isNew = false): ForeignObject {
  const at = bed.clock.now();
  const conditions = { conditions: [isWell ? ready('True', 'Good', at) : ready('False', 'Broken', at)] };
  const listed = listing('flux-system_other_apps_Deployment');
  const released = { history: [{ status: 'deployed', chartVersion: '1.0.0' }], observedGeneration: 1 };
  const applied = kind === 'Kustomization' ? passedWell(at, revision('e')) : released;
  const status = isNew ? conditions : { ...applied, ...listed, ...conditions };
  return bed.object(applierKinds[kind], 'secret', { spec: kustomizationSpec('control'), status });
}

/** Objects of somebody's own, of kinds that tell their commit by what delivers them, by themselves, and not at all. */
function own(bed: Bed, kind: Applier, name: string, createdAt: number) {
  const part = { ...labelsOf(kind), createdAt };
  const at = bed.clock.now();
  const good = [ready('True', 'Good', at)];
  const status = { conditions: good, observedGeneration: 1, history: [{ status: 'deployed', chartVersion: '1.0.0' }] };
  const synced = [...good, { ...ready('True', 'ReconcileSuccess', at), type: 'Synced' }];
  const made: readonly (readonly [WatchedKind, ForeignObject])[] = [
    [helmRelease, bed.object(helmRelease, name, { ...part, spec: { interval: '10m' }, status })],
    [gitRepository, bed.object(gitRepository, name, { ...part, ...offering(at, revision('a')) })],
    [
      kustomization,
      bed.object(kustomization, name, {
        ...part,
        spec: kustomizationSpec(name),
        status: passedWell(at, revision('a')),
      }),
    ],
    [terraform, bed.object(terraform, name, { ...part, status: { conditions: good, observedGeneration: 1 } })],
    [{ ...instance, namespaced: true }, bed.object(instance, name, { ...part, status: { conditions: synced } })],
  ];
  return made.map(([of, object]) => [of, inApps(object)] as const);
}

/** Plays one fate on a cluster, for ten minutes that end now. Gives what the collector wrote. */
function play(kind: Applier, fate: Fate): Bed {
  const bed = startBed(null, sampleNow - 10 * minute);
  const applier = applierKinds[kind];
  const before = own(bed, kind, 'old', bed.clock.now() - 60 * minute);
  const isThere = fate !== 'nothing';
  const first = isThere
    ? [hidden(bed, kind, fate !== 'failing' && fate !== 'never applied', fate === 'never applied')]
    : [];
  bed.open(
    before.map(([of, object]): readonly [WatchedKind, ...ForeignObject[]] =>
      of === applier ? [of, object, ...first] : [of, object],
    ),
  );
  bed.pass(minute);
  for (const [of, object] of own(bed, kind, 'new', bed.clock.now())) bed.write(of, object);
  bed.pass(2 * minute);
  if (fate === 'fails later') bed.write(applier, hidden(bed, kind, false));
  if (fate === 'goes later') for (const object of first) bed.remove(applier, object);
  bed.pass(3 * minute);
  bed.pass(sampleNow - bed.clock.now() - 50);
  bed.model.stop();
  return bed;
}

const objects = ['old', 'new'].flatMap((name) =>
  [helmRelease, gitRepository, kustomization, terraform, instance].map((kind) => ({ ...kind, name })),
);

/** Every answer to somebody who sees one namespace. */
function answers(kind: Applier, fate: Fate): Promise<ReadonlyMap<string, string>> {
  return answersToPart(play(kind, fate), objects);
}

it.each(['Kustomization', 'HelmRelease'] as const)(
  'is told the same whatever became of the %s that they name, and whether it is there',
  async (kind) => {
    const told = await answers(kind, 'nothing');
    expect(told.get('objects?limit=500')).toContain('DeliveryUncertain');
    expect(told.get('objects?limit=500')).not.toContain('secret');
    for (const fate of fates) expect([fate, await answers(kind, fate)]).toEqual([fate, told]);
  },
);
