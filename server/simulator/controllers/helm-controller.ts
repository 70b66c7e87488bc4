import { commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import { dropConditions, progressing } from '../objects/condition.ts';
import { noDrift, stampHelmRelease, upgradedMessage } from '../objects/helm-release.ts';
import type { HelmRelease } from '../objects/helm-release.ts';
import { digest } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import { createWriter } from './control-plane.ts';
import type { Controller, ControlPlane, Writer } from './control-plane.ts';
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
  readonly writer: Writer<HelmRelease>;
  readonly random: Random;
  /** Ends a pass well: the next comes after the interval. */
  settle(item: Item): void;
}

/** Starts helm-controller: two writes in a quiet pass, Ready untouched. */
export function startHelmController(plane: ControlPlane, random: Random): HelmController {
  const queue = createWorkQueue<Item>('helm-controller', plane.scheduler, pass);
  const writer = createWriter<HelmRelease>(plane, queue.name, (object, at) => {
    stampHelmRelease(object, at);
    plane.store.put(object, commonKinds.helmRelease);
  });
  const parts: Parts = { plane, queue, writer, random, settle };
  const upgrade = createUpgrades(parts);
  const detectDrift = createDriftDetection(parts);

  function settle(item: Item): void {
    dropConditions(item.object, 'Reconciling');
    item.object.status.observedGeneration = item.object.metadata.generation ?? 1;
    writer.save(item);
    queue.enqueue(item, soonAgain(item.interval, random));
  }

  function pass(item: Item): void {
    if (item.object.spec.suspend) return;
    writer.say(item, ['Reconciling', 'True', 'Progressing', 'Fulfilling prerequisites']);
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

/** Annotations of most events about a release. */
function annotationsOf({ object }: Item): { [key: string]: string } | undefined {
  const release = object.status.history?.[0];
  return (
    release && {
      'helm.toolkit.fluxcd.io/app-version': release.appVersion,
      'helm.toolkit.fluxcd.io/revision': release.chartVersion,
      'helm.toolkit.fluxcd.io/token': release.configDigest,
    }
  );
}

function releaseName(item: Item): string {
  const { name, namespace } = item.object.metadata;
  return `${namespace}/${name}.v${item.object.status.history?.[0]?.version ?? 1}`;
}

function createDriftDetection({ queue, writer, settle }: Parts): (item: Item) => void {
  const { save, say, emit } = writer;

  function correct(item: Item, resource: string): void {
    say(item, ['Ready', 'Unknown', 'Progressing', 'correcting cluster drift']);
    save(item);
    queue.step(item, 900, () => {
      item.outcome = { is: 'ok' };
      const corrected = `Cluster state of release ${releaseName(item)} has been corrected:\n${resource} configured`;
      emit(item, 'Normal', 'DriftCorrected', corrected, annotationsOf(item));
      say(item, ['Ready', 'True', 'UpgradeSucceeded', upgradedMessage(item.object)], noDrift);
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
      say(item, ['Drifted', 'True', 'DriftDetected', message]);
      emit(item, 'Warning', 'DriftDetected', message);
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
    const failed = ['False', 'UpgradeFailed', message] as const;
    say(item, ['Ready', ...failed], ['Released', ...failed]);
    say(item, ['Reconciling', 'True', 'ProgressingWithRetry', 'retrying the upgrade']);
    item.object.status.upgradeFailures = ++item.failures;
    save(item);
    emit(item, 'Warning', 'UpgradeFailed', message, annotationsOf(item));
    queue.enqueue(item, Math.min(firstRetry * 2 ** (item.failures - 1), longestRetry));
  }

  function deploy(item: Item): void {
    const { status } = item.object;
    const last = status.history?.[0];
    if (last) {
      const next = {
        ...last,
        action: 'upgrade',
        chartVersion: item.target ?? last.chartVersion,
        version: last.version + 1,
        digest: digest(random),
        lastDeployed: kubeTime(plane.scheduler.now()),
      };
      status.history = [next, { ...last, status: 'superseded' }];
    }
    item.target = null;
    item.failures = 0;
    const message = upgradedMessage(item.object);
    const upgraded = ['True', 'UpgradeSucceeded', message] as const;
    say(item, ['Ready', ...upgraded], ['Released', ...upgraded]);
    emit(item, 'Normal', 'UpgradeSucceeded', message, annotationsOf(item));
    settle(item);
  }

  return (item, failure) => {
    const { status } = item.object;
    const running = "Running 'upgrade' action with timeout of 5m0s";
    status.lastAttemptedRevision = item.target ?? status.lastAttemptedRevision ?? '';
    say(item, ...progressing(running));
    save(item);
    queue.step(item, 1500, () => {
      if (failure !== null) fail(item, failure);
      else deploy(item);
    });
  };
}
