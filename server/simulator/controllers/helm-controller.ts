import { commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import { dropCondition, setCondition } from '../objects/condition.ts';
import type { Said } from '../objects/condition.ts';
import { stampHelmRelease, succeededMessage } from '../objects/helm-release.ts';
import type { HelmRelease } from '../objects/helm-release.ts';
import { digest } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import { createWorkQueue, soonAgain } from './work-queue.ts';
import type { WorkQueue } from './work-queue.ts';

/** Outcome of the next passes of a HelmRelease. */
export type HelmOutcome =
  | { readonly is: 'ok' }
  /** Someone changed `resource` by hand; what follows depends on spec.driftDetection. */
  | { readonly is: 'changed-by-hand'; readonly resource: string }
  | { readonly is: 'upgrade-failed'; readonly message: string };

/** One HelmRelease as helm-controller keeps it. */
export interface HelmReleaseHandle {
  readonly object: HelmRelease;
  outcome: HelmOutcome;
  reconcile(): void;
  /** Upgrades to a chart version, as after a new HelmChart artifact. */
  upgrade(version: string): void;
}

/** Simulates helm-controller on one cluster. */
export interface HelmController extends Controller {
  /** Takes a HelmRelease on. `interval` in ms. */
  add(object: HelmRelease, interval: number): HelmReleaseHandle;
}

interface Item extends HelmReleaseHandle {
  readonly interval: number;
  target: string | null;
  failures: number;
}

const firstRetry = 5000;
const longestRetry = 300_000;

/** Parts that the parts of the controller work with. */
interface Parts {
  readonly plane: ControlPlane;
  readonly queue: WorkQueue<Item>;
  readonly writer: Writer;
  readonly random: Random;
  /** Ends a pass well: the next comes after the interval. */
  settle(item: Item): void;
}

interface Writer {
  save(item: Item): void;
  say(item: Item, ...said: Said[]): void;
  emit(item: Item, type: 'Normal' | 'Warning', reason: string, message: string, annotated?: boolean): void;
}

/** Starts helm-controller: two writes in a quiet pass, Ready untouched. */
export function startHelmController(plane: ControlPlane, random: Random): HelmController {
  const queue = createWorkQueue<Item>('helm-controller', plane.scheduler, pass);
  const writer = createWriter(plane);
  const parts: Parts = { plane, queue, writer, random, settle };
  const upgrade = createUpgrades(parts);
  const detectDrift = createDriftDetection(parts);

  function settle(item: Item): void {
    dropCondition(item.object.status.conditions, 'Reconciling');
    item.object.status.observedGeneration = item.object.metadata.generation ?? 1;
    writer.save(item);
    queue.enqueue(item, soonAgain(item.interval, random));
  }

  function pass(item: Item): void {
    if (item.object.spec.suspend) return;
    const message = 'Fulfilling prerequisites';
    writer.say(item, { type: 'Reconciling', status: 'True', reason: 'Progressing', message });
    writer.save(item);
    queue.step(item, random.between(10, 40), () => {
      if (item.outcome.is === 'upgrade-failed') upgrade(item, item.outcome.message);
      else if (item.target !== null) upgrade(item, null);
      else detectDrift(item);
    });
  }

  return {
    ...queue,
    add(object, interval) {
      const item: Item = {
        object,
        interval,
        outcome: { is: 'ok' },
        target: null,
        failures: 0,
        reconcile: () => queue.enqueue(item, 20),
        upgrade(version) {
          item.target = version;
          queue.enqueue(item, 40);
        },
      };
      plane.store.put(object, commonKinds.helmRelease);
      queue.enqueue(item, random.next() * interval);
      return item;
    },
  };
}

function createWriter(plane: ControlPlane): Writer {
  return {
    save(item) {
      stampHelmRelease(item.object, plane.scheduler.now());
      plane.store.put(item.object, commonKinds.helmRelease);
    },
    say(item, ...said) {
      const { status, metadata } = item.object;
      for (const one of said) setCondition(status.conditions, one, metadata.generation ?? 1, plane.scheduler.now());
    },
    emit(item, type, reason, message, annotated = true) {
      const release = item.object.status.history?.[0];
      const about = item.object;
      const event = { about, component: 'helm-controller', type, reason, message };
      if (!annotated || !release) {
        plane.events.emit(event);
        return;
      }
      const annotations = {
        'helm.toolkit.fluxcd.io/app-version': release.appVersion,
        'helm.toolkit.fluxcd.io/revision': release.chartVersion,
        'helm.toolkit.fluxcd.io/token': release.configDigest,
      };
      plane.events.emit({ ...event, annotations });
    },
  };
}

function releaseName(item: Item): string {
  const { name, namespace } = item.object.metadata;
  return `${namespace}/${name}.v${item.object.status.history?.[0]?.version ?? 1}`;
}

/** Says that nothing has drifted. */
const noDrift: Said = {
  type: 'Drifted',
  status: 'False',
  reason: 'NoDriftDetected',
  message: 'No drift detected against the cluster state',
};

function createDriftDetection({ queue, writer, settle }: Parts): (item: Item) => void {
  const { save, say, emit } = writer;

  function correct(item: Item, resource: string): void {
    const message = 'correcting cluster drift';
    say(item, { type: 'Ready', status: 'Unknown', reason: 'Progressing', message });
    save(item);
    queue.step(item, 900, () => {
      item.outcome = { is: 'ok' };
      const corrected = `Cluster state of release ${releaseName(item)} has been corrected:\n${resource} configured`;
      emit(item, 'Normal', 'DriftCorrected', corrected);
      const upgraded = succeededMessage(item.object, 'upgrade');
      say(item, { type: 'Ready', status: 'True', reason: 'UpgradeSucceeded', message: upgraded }, noDrift);
      settle(item);
    });
  }

  return (item) => {
    const mode = item.object.spec.driftDetection?.mode ?? 'disabled';
    const { outcome } = item;
    if (mode === 'disabled') {
      settle(item);
    } else if (outcome.is === 'changed-by-hand') {
      const message = `Cluster state of release ${releaseName(item)} has drifted from the desired state:\n${outcome.resource} changed (0 additions, 1 changes, 0 removals)`;
      say(item, { type: 'Drifted', status: 'True', reason: 'DriftDetected', message });
      emit(item, 'Warning', 'DriftDetected', message, false);
      if (mode === 'warn') settle(item);
      else correct(item, outcome.resource);
    } else {
      say(item, noDrift);
      settle(item);
    }
  };
}

function createUpgrades({ plane, queue, writer, random, settle }: Parts): (item: Item, failure: string | null) => void {
  const { save, say, emit } = writer;

  function fail(item: Item, message: string): void {
    const said = { status: 'False', reason: 'UpgradeFailed', message } as const;
    say(item, { ...said, type: 'Ready' }, { ...said, type: 'Released' });
    say(item, { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message: 'retrying the upgrade' });
    item.object.status.upgradeFailures = ++item.failures;
    save(item);
    emit(item, 'Warning', 'UpgradeFailed', message);
    queue.enqueue(item, Math.min(firstRetry * 2 ** (item.failures - 1), longestRetry));
  }

  function deploy(item: Item): void {
    const { status } = item.object;
    const last = status.history?.[0];
    if (last) {
      const chartVersion = item.target ?? last.chartVersion;
      const next = {
        ...last,
        action: 'upgrade',
        chartVersion,
        version: last.version + 1,
        digest: digest(random),
        lastDeployed: kubeTime(plane.scheduler.now()),
      };
      status.history = [next, { ...last, status: 'superseded' }];
    }
    item.target = null;
    item.failures = 0;
    const said = {
      status: 'True',
      reason: 'UpgradeSucceeded',
      message: succeededMessage(item.object, 'upgrade'),
    } as const;
    say(item, { ...said, type: 'Ready' }, { ...said, type: 'Released' });
    emit(item, 'Normal', 'UpgradeSucceeded', said.message);
    settle(item);
  }

  return (item, failure) => {
    const { status } = item.object;
    const running = "Running 'upgrade' action with timeout of 5m0s";
    status.lastAttemptedRevision = item.target ?? status.lastAttemptedRevision ?? '';
    say(item, { type: 'Reconciling', status: 'True', reason: 'Progressing', message: running });
    say(item, { type: 'Ready', status: 'Unknown', reason: 'Progressing', message: running });
    save(item);
    queue.step(item, 1500, () => {
      if (failure !== null) fail(item, failure);
      else deploy(item);
    });
  };
}
