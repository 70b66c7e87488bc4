// Somebody who sees a namespace, and writes resources of a cloud in it, names in them what others have there.
import { expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { type Bed, startBed } from '#server/collector/model/testing/bed.ts';
import { kinds, type ObjectPart, ready } from '#server/collector/model/testing/objects.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { answersToPart } from './told-to-part.ts';

const instance: WatchedKind = { ...kinds.instance, group: 'rds.aws.m.upbound.io', namespaced: true };

/** Fates of what lies outside, by the same name: it is not there, well, fails, fails or goes later. */
const fates = ['nothing', 'well', 'failing', 'fails later', 'goes later'] as const;
type Fate = (typeof fates)[number];

const error = 'cannot connect to aws: token expired';

function resource(bed: Bed, name: string, isWell: boolean, part: ObjectPart & { readonly config?: object } = {}) {
  const at = bed.clock.now();
  const { config = { name: 'aws', kind: 'ClusterProviderConfig' }, ...rest } = part;
  const synced = isWell ? ready('True', 'ReconcileSuccess', at) : ready('False', 'ReconcileError', at);
  const conditions = [
    ready(isWell ? 'True' : 'False', 'Available', at),
    { ...synced, type: 'Synced', ...(!isWell && { message: error }) },
  ];
  return bed.object(instance, name, {
    spec: { providerConfigRef: config, forProvider: { region: 'eu-west-3' } },
    status: { conditions, observedGeneration: 1 },
    ...rest,
  });
}

const database = { annotations: { 'crossplane.io/external-name': 'production' } };

function hidden(bed: Bed, isWell: boolean): ForeignObject {
  return resource(bed, 'production', isWell, database);
}

function own(bed: Bed): readonly ForeignObject[] {
  const guessed = [
    resource(bed, 'refused', false, database),
    resource(bed, 'untouched', false, { ...database, status: {} }),
    resource(bed, 'elsewhere', true, { ...database, config: { name: 'aws', kind: 'ProviderConfig' } }),
  ];
  return guessed.map((made) => ({ ...made, metadata: { ...Object(made['metadata']), namespace: 'apps' } }));
}

/** Plays one fate on a cluster, for ten minutes that end now. Gives what the collector wrote. */
function play(fate: Fate): Bed {
  const bed = startBed(null, sampleNow - 10 * minute);
  const theirs = fate === 'nothing' ? [] : [hidden(bed, fate !== 'failing')];
  bed.open([[instance, ...own(bed), ...theirs]]);
  bed.pass(3 * minute);
  if (fate === 'fails later') bed.write(instance, hidden(bed, false));
  if (fate === 'goes later') for (const object of theirs) bed.remove(instance, object);
  bed.pass(3 * minute);
  bed.pass(sampleNow - bed.clock.now() - 50);
  bed.model.stop();
  return bed;
}

const objects = own(startBed(null, sampleNow)).map((object) => ({
  ...instance,
  name: String(Object(object['metadata']).name),
}));

it('is told the same whatever others have of the same name', async () => {
  const told = await answersToPart(play('nothing'), objects);
  expect(told.get('objects?limit=500')).toContain('elsewhere');
  for (const fate of fates) expect([fate, await answersToPart(play(fate), objects)]).toEqual([fate, told]);
});
