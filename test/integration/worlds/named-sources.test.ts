// Somebody who sees a namespace, and writes objects in it, names a source in them that lies outside of what he sees, and is refused it, or has nobody look.
import { expect, it } from 'vitest';
import type { ForeignObject } from '#lib/foreign.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { WatchedKind } from '#server/collector/clusters/cluster-event.ts';
import { type Bed, startBed } from '#server/collector/model/testing/bed.ts';
import {
  kinds,
  kustomizationSpec,
  type ObjectPart,
  offering,
  passedWell,
  ready,
  revision,
} from '#server/collector/model/testing/objects.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { answersToPart } from './told-to-part.ts';

const { gitRepository, helmRelease, kustomization, terraform } = kinds;
const externalArtifact = { ...gitRepository, kind: 'ExternalArtifact', resource: 'externalartifacts' };
const generator: WatchedKind = {
  ...gitRepository,
  group: 'source.extensions.fluxcd.io',
  kind: 'ArtifactGenerator',
  version: 'v1beta1',
  resource: 'artifactgenerators',
};

/** Fates of the source that is named. */
const fates = ['nothing', 'well', 'failing', 'switched off', 'fails later', 'goes later', 'offers more later'] as const;
type Fate = (typeof fates)[number];

const url = 'https://github.com/acme/secret-repo';
const secret = { kind: 'GitRepository', name: 'secret', namespace: 'flux-system' };

function hidden(bed: Bed, { isWell = true, digit = 'e', off = false }): ForeignObject {
  const { spec, status } = offering(bed.clock.now(), revision(digit));
  const failing = { ...status, conditions: [ready('False', 'GitOperationFailed', bed.clock.now())] };
  return bed.object(gitRepository, 'secret', {
    spec: { ...spec, url, suspend: off },
    status: isWell ? status : failing,
  });
}

/** Objects of his own that name the source: it was refused, or nobody looks at it. */
function own(bed: Bed): readonly (readonly [WatchedKind, ForeignObject])[] {
  const at = bed.clock.now();
  const createdAt = at - 60 * minute;
  const refused = { conditions: [ready('False', 'AccessDenied', at, 2)] };
  const passed = passedWell(at - minute, revision('a'));
  const spec = kustomizationSpec('secret', { sourceRef: secret });
  const part = (rest: ObjectPart): ObjectPart => ({ createdAt, generation: 2, ...rest });
  const make = (kind: WatchedKind, name: string, rest: ObjectPart) =>
    [kind, inApps(bed.object(kind, name, part(rest)))] as const;
  return [
    make(kustomization, 'refused', { spec, status: { ...passed, ...refused, observedGeneration: 2 } }),
    make(kustomization, 'off', { spec: { ...spec, suspend: true }, status: passed }),
    make(kustomization, 'silent', { spec, status: {} }),
    make(terraform, 'refused', {
      spec: { ...spec, approvePlan: 'auto' },
      status: { ...refused, lastAppliedRevision: revision('a'), observedGeneration: 2 },
    }),
    make(helmRelease, 'refused', {
      spec: { interval: '10m', chartRef: { ...secret, kind: 'OCIRepository' } },
      status: { ...refused, observedGeneration: 2, history: [{ status: 'deployed', chartVersion: '1.0.0' }] },
    }),
    make(externalArtifact, 'made', { spec: { sourceRef: { apiVersion: 'source.toolkit.fluxcd.io/v1', ...secret } } }),
    make(generator, 'refused', { spec: { sources: [{ alias: 'a', ...secret }] }, status: refused }),
  ];
}

/** The same object in the namespace that is seen. */
function inApps(object: ForeignObject): ForeignObject {
  return { ...object, metadata: { ...Object(object['metadata']), namespace: 'apps' } };
}

/** Plays one fate on a cluster, for ten minutes that end now. Gives what the collector wrote. */
function play(fate: Fate): Bed {
  const bed = startBed(null, sampleNow - 10 * minute);
  const first = hidden(bed, { isWell: fate !== 'failing', off: fate === 'switched off' });
  const theirs = fate === 'nothing' ? [] : [first];
  const mine = Map.groupBy(own(bed), ([kind]) => kind);
  bed.open([
    [gitRepository, ...theirs],
    ...Array.from(mine, ([kind, objects]): readonly [WatchedKind, ...ForeignObject[]] => [
      kind,
      ...objects.map(([, object]) => object),
    ]),
  ]);
  bed.pass(2 * minute);
  if (fate === 'fails later') bed.write(gitRepository, hidden(bed, { isWell: false }));
  if (fate === 'goes later') bed.remove(gitRepository, first);
  if (fate === 'offers more later') bed.write(gitRepository, hidden(bed, { digit: 'f' }));
  bed.pass(3 * minute);
  bed.pass(sampleNow - bed.clock.now() - 50);
  bed.model.stop();
  return bed;
}

const objects = own(startBed(null, sampleNow)).map(([kind, object]) => ({
  ...kind,
  name: String(Object(object['metadata']).name),
}));

it('is told the same whatever became of the source that they name, and whether it is there', async () => {
  const told = await answersToPart(play('nothing'), objects);
  expect(told.get('objects?limit=500')).toContain('AccessDenied');
  for (const fate of fates) expect([fate, await answersToPart(play(fate), objects)]).toEqual([fate, told]);
});
