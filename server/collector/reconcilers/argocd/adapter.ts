import { kindsOf, type Adapter } from '../adapter.ts';
import { observeApplication } from './application.ts';
import { applicationController, shardsMap } from './controller.ts';
import { selfHealCorrections } from './self-heal.ts';
import { argocdMetric } from './state-metric.ts';

/** Argo CD. It is found by discovery; no cluster is expected to have it. */
export const argocd: Adapter = {
  reconciler: 'argocd',
  kinds: kindsOf('argoproj.io', { applications: 'Application' }),
  // A StatefulSet or Deployment whose replicas share the clusters among them: no leader, no Lease; shards write a heartbeat.
  controllers: [{ name: applicationController, namespace: 'argocd', lease: shardsMap, leasesAreListed: false }],
  unjudged: [
    { group: 'argoproj.io', kind: 'AppProject', why: 'it has no loop of its own' },
    { group: 'argoproj.io', kind: 'ApplicationSet', why: 'it makes Applications, which are judged' },
  ],
  metricOf: () => argocdMetric,
  observe: observeApplication,
  corrections: (memory, _event, observation, now) => selfHealCorrections(memory, observation, now),
};
