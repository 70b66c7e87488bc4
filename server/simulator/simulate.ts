import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../runtime/clock.ts';
import { createLog } from '../runtime/log.ts';
import { startSimulator } from './main.ts';
import type { Simulator } from './main.ts';
import { inventoryOf } from './past/inventory-of.ts';

const usage = `Usage: node server/simulator/simulate.ts --dir DIR [--clusters N] [--seed N] [--interval SECONDS] [--no-story]
       node server/simulator/simulate.ts --dir DIR --clusters N --kinds N --objects N [--churn WRITES_PER_SECOND] [--alerts N --series N]

Runs a fleet of simulated clusters until SIGTERM or SIGINT, or until the parent's channel closes.
DIR gets one kubeconfig per cluster, plumbline.yaml and, for the demo's fleet, control-repo.git and inventory.json. The demo's story has a Prometheus and an
Alertmanager.
--kinds and --objects (per cluster) make a generated fleet of any size instead of the demo's.
--alerts and --series give it a Prometheus and an Alertmanager, in which so many alerts fire over so many series, one for each object.
`;

const options = {
  dir: { type: 'string' },
  clusters: { type: 'string' },
  seed: { type: 'string' },
  interval: { type: 'string' },
  kinds: { type: 'string' },
  objects: { type: 'string' },
  churn: { type: 'string' },
  alerts: { type: 'string' },
  series: { type: 'string' },
  'no-story': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function numbers(values: { readonly [name: string]: string | undefined }): { [name: string]: number } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => (text === undefined ? [] : [[name, Number(text)]])),
  );
}

const { values } = parseArgs({ options });
if (values.help || values.dir === undefined) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 64);
}

const log = createLog('simulator');
let started: Promise<Simulator> | null = null;
let stopping = false;

function stop(): void {
  if (stopping) return;
  stopping = true;
  Promise.resolve(started)
    .then((simulator) => simulator?.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error: String(error) }, 'the simulator did not stop cleanly');
        process.exit(1);
      },
    );
}

// Before the start, so that no signal finds the process without an ear.
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);

const plan =
  values.alerts === undefined && values.series === undefined
    ? {}
    : { monitoringPlan: { alerts: Number(values.alerts ?? 0), series: Number(values.series ?? 0) } };

started = startSimulator({
  ...plan,
  clock: systemClock,
  log,
  directory: values.dir,
  story: !values['no-story'],
  ...numbers({
    clusters: values.clusters,
    seed: values.seed,
    interval: values.interval,
    kindsPerCluster: values.kinds,
    objectsPerCluster: values.objects,
  }),
});
const simulator = await started;
if (values.churn !== undefined) simulator.churn?.setRate(Number(values.churn));
const inventoryPath = simulator.demo === null ? null : join(values.dir, 'inventory.json');
if (simulator.demo !== null && inventoryPath !== null)
  writeFileSync(inventoryPath, JSON.stringify(inventoryOf(simulator.demo, systemClock.now())));
const { configPath, repositoryPath } = simulator;
process.send?.({ ready: true, configPath, repositoryPath, inventoryPath });
