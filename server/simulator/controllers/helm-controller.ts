import { commonKinds } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import { dropCondition, setCondition } from '../objects/condition.ts';
import type { Said } from '../objects/condition.ts';
import { stampHelmRelease, succeededMessage } from '../objects/helm-release.ts';
import type { HelmRelease } from '../objects/helm-release.ts';
import { digest } from '../objects/metadata.ts';
import type { Random } from '../random.ts';
import type { Controller, ControlPlane } from './control-plane.ts';
import { createWorkQueue } from './work-queue.ts';

/** What the next passes of a HelmRelease come to. */
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

/** Starts helm-controller: two writes in a quiet pass, Ready untouched. */
export function startHelmController(plane: ControlPlane, random: Random): HelmController {
  const queue = createWorkQueue<Item>('helm-controller', plane.scheduler, pass);

  function save(item: Item): void {
    stampHelmRelease(item.object, plane.scheduler.now());
    plane.store.put(item.object, commonKinds.helmRelease);
  }

  function say(item: Item, said: Said): void {
    setCondition(item.object.status.conditions, said, item.object.metadata.generation ?? 1, plane.scheduler.now());
  }

  function emit(item: Item, type: 'Normal' | 'Warning', reason: string, message: string, annotated = true): void {
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
  }

  function releaseName(item: Item): string {
    const { name, namespace } = item.object.metadata;
    return `${namespace}/${name}.v${item.object.status.history?.[0]?.version ?? 1}`;
  }

  function again(item: Item): void {
    queue.enqueue(item, item.interval * (0.97 + random.next() * 0.06));
  }

  function settle(item: Item): void {
    dropCondition(item.object.status.conditions, 'Reconciling');
    item.object.status.observedGeneration = item.object.metadata.generation ?? 1;
    save(item);
    again(item);
  }

  function pass(item: Item): void {
    if (item.object.spec.suspend) return;
    say(item, { type: 'Reconciling', status: 'True', reason: 'Progressing', message: 'Fulfilling prerequisites' });
    save(item);
    queue.step(item, random.between(10, 40), () => {
      if (item.outcome.is === 'upgrade-failed') runUpgrade(item, item.outcome.message);
      else if (item.target !== null) runUpgrade(item, null);
      else detectDrift(item);
    });
  }

  function detectDrift(item: Item): void {
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
      say(item, {
        type: 'Drifted',
        status: 'False',
        reason: 'NoDriftDetected',
        message: 'No drift detected against the cluster state',
      });
      settle(item);
    }
  }

  function correct(item: Item, resource: string): void {
    const message = 'correcting cluster drift';
    say(item, { type: 'Ready', status: 'Unknown', reason: 'Progressing', message });
    save(item);
    queue.step(item, 900, () => {
      item.outcome = { is: 'ok' };
      emit(
        item,
        'Normal',
        'DriftCorrected',
        `Cluster state of release ${releaseName(item)} has been corrected:\n${resource} configured`,
      );
      say(item, {
        type: 'Ready',
        status: 'True',
        reason: 'UpgradeSucceeded',
        message: succeededMessage(item.object, 'upgrade'),
      });
      say(item, {
        type: 'Drifted',
        status: 'False',
        reason: 'NoDriftDetected',
        message: 'No drift detected against the cluster state',
      });
      settle(item);
    });
  }

  function runUpgrade(item: Item, failure: string | null): void {
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
  }

  function fail(item: Item, message: string): void {
    const said = { status: 'False', reason: 'UpgradeFailed', message } as const;
    say(item, { ...said, type: 'Ready' });
    say(item, { ...said, type: 'Released' });
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
    say(item, { ...said, type: 'Ready' });
    say(item, { ...said, type: 'Released' });
    emit(item, 'Normal', 'UpgradeSucceeded', said.message);
    settle(item);
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
