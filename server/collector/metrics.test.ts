import { expect, it } from 'vitest';
import { createCollectorMetrics } from './metrics.ts';

it('tells in Prometheus text what is read and what is written', async () => {
  const metrics = createCollectorMetrics();
  const alarms = [
    { source: 'main', program: 'prometheus', url: 'http://p', readAt: 2_500, isLive: true },
    { source: 'main', program: 'alertmanager', url: 'http://am', readAt: null, isLive: false },
  ] as const;
  const now = { clusters: 3, running: 2, pendingRows: 7, pendingSince: 1_500, blocked: true, alarms };
  const clocks = [
    { name: 'a', clockAhead: 2_500 },
    { name: 'b', clockAhead: null },
  ];
  metrics.observe({ ...now, clocks: [{ name: 'gone', clockAhead: 1 }] });
  metrics.observe({ ...now, clocks });
  metrics.committed({ duration: 15, rows: 4, batches: 1 });
  const own = async () =>
    (await metrics.text()).split('\n').filter((line) => !line.includes('plumbline_collector_') && line !== '');
  expect(await own()).toMatchSnapshot();
  metrics.observe({ ...now, clocks, blocked: false });
  expect(await own()).toContain('plumbline_store_blocked 0');
  expect(await own()).toContain('plumbline_store_pending_oldest_timestamp_seconds 1.5');
  metrics.observe({ ...now, clocks, pendingRows: 0, pendingSince: null });
  expect((await own()).filter((line) => line.startsWith('plumbline_store_pending_oldest'))).toEqual([]);
  expect(await metrics.text()).toContain('plumbline_collector_process_cpu_seconds_total');
});
