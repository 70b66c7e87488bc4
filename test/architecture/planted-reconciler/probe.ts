// Runs in a copy of the program that a reconciler was planted into, and prints as JSON what became of it.
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import { noGit } from '#server/git/port/git-reader.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOnce } from '#server/cli/read-once.ts';
import { clusterRole } from '#server/collector/reconcilers/cluster-role.ts';
import { parseConfig } from '#server/config/load-config.ts';
import { systemClock as clock } from '#server/runtime/clock.ts';
import { silentLog as log } from '#server/runtime/log.ts';
import { fleet } from '#server/web/endpoints/fleet.ts';
import { objects } from '#server/web/endpoints/objects.ts';
import { knownMoment } from '#server/web/fleet/known-moment.ts';
import { knownFleet } from '#server/web/cache/known-fleet.ts';
import { createFleetCache } from '#server/web/cache/fleet-cache.ts';
import { answerOf } from '#server/web/testing/moment.ts';
import { startWidgetCluster } from './widget-cluster.ts';

const directory = mkdtempSync(join(tmpdir(), 'plumbline-widgets-'));
const cluster = await startWidgetCluster(directory);
const loaded = parseConfig('clusters: [{ name: harbour, kubeconfig: ./harbour.yaml }]\n', directory);
if (loaded.type === 'invalid') throw new Error(JSON.stringify(loaded.problems));
const { config } = loaded;
const { policy } = config;
const reading = await readOnce({ config, clock, log, within: 40_000 });
await cluster.stop();
rmSync(directory, { recursive: true });

const picture = createFleetCache();
picture.apply([
  ...reading.clusters.map((record) => ({ type: 'cluster', cluster: record }) as const),
  ...reading.objects.map((object) => ({ type: 'object', object }) as const),
]);
const nothingElse = {
  alarms: unknownAlarms('none'),
  links: () => null,
  simulated: true,
  git: noGit('none'),
  reader: () => null,
  trouble: () => null,
};
const web = knownMoment({ fleetCache: picture, fleet: knownFleet(picture, policy), clock, policy, ...nothingElse });
const matrix = await answerOf(fleet, web, {});
const list = await answerOf(objects, web, { reconciler: 'widget' });
process.stdout.write(
  JSON.stringify({
    asked: cluster.asked(),
    role: clusterRole(),
    heads: matrix.columns.map(({ group }) => group),
    filters: matrix.reconcilers,
    list: list.objects,
  }),
);
