import type { FigureLog } from '../figure-log.ts';
import type { BenchFleet, FleetSize } from '../fleet.ts';
import { measureSteady, measureStoreLag } from './measure-steady.ts';
import type { BenchCollector } from './measure-sync.ts';

const fullEvents = 2_000;
/** A quarter of a core at 2,000 events a second. */
const fullCores = 0.25;
const lagChanges = 60;
/** Bookmarks come each 60 s and Leases are read each 15 s: a quiet state is looked at so many times as long as a busy one. */
const quietTimes = 3;

/** A collector in step: quiet, then with passes all over the fleet. */
export async function addSteadyFigures(
  book: FigureLog,
  size: FleetSize,
  fleet: BenchFleet,
  collector: BenchCollector,
  events: number,
  seconds: number,
): Promise<void> {
  const area = `In step: ${(size.clusters * size.kinds).toLocaleString('en')} streams`;
  const coresBar = { most: (fullCores * events) / fullEvents, at: `${events.toLocaleString('en')} events/s` };
  const quiet = await measureSteady(fleet, collector, 0, seconds * quietTimes);
  book.add(
    { area, name: 'quiet', value: quiet.cores, unit: 'cores', bar: null },
    { area, name: 'quiet, read per cluster and day', value: quiet.bytesPerClusterDay, unit: 'bytes', bar: null },
  );
  const busy = await measureSteady(fleet, collector, events, seconds);
  book.add(
    { area, name: 'passes written', value: busy.events, unit: 'events/s', bar: null },
    { area, name: 'with passes', value: busy.cores, unit: 'cores', bar: coresBar },
    { area, name: 'with passes, read per cluster and day', value: busy.bytesPerClusterDay, unit: 'bytes', bar: null },
    { area, name: 'with passes, resident', value: busy.resident, unit: 'bytes', bar: null },
  );
  const lag = await measureStoreLag(fleet, collector, lagChanges);
  book.add(
    { area, name: 'change to store, p50', value: lag.p50, unit: 'ms', bar: null },
    { area, name: 'change to store, p99', value: lag.p99, unit: 'ms', bar: null },
  );
  fleet.churn(0);
}
