import { expect, it } from 'vitest';
import { type AlarmEntry, metricsFor, objectMetrics } from '#server/config/alarms-schema.ts';

function entry(clusters: readonly string[], metrics: readonly string[]): AlarmEntry {
  const none = { tokenFile: null, ca: null, tenant: null };
  return {
    name: metrics.join(),
    prometheus: null,
    alertmanagers: [],
    attribution: { label: 'cluster', aliases: {}, clusters },
    metrics,
    ...none,
  };
}

it('metrics that name objects of a cluster are those of all sources that may speak for it', () => {
  const entries = [entry(['a'], ['acme_', 'gotk_']), entry([], ['gotk_', 'kube_']), entry(['b'], ['other_'])];
  expect(metricsFor(entries, 'a')).toEqual(['acme_', 'gotk_', 'kube_']);
  expect(metricsFor(entries, 'c')).toEqual(['gotk_', 'kube_']);
  expect(metricsFor([entry(['b'], ['other_'])], 'c')).toEqual(objectMetrics);
  expect(metricsFor([], 'c')).toEqual(objectMetrics);
});
