import type { Figure } from '../figure.ts';
import type { CeilingResult } from '../fleet-protocol.ts';
import type { FleetSize } from '../fleet.ts';
import type { SyncProgress, SyncResult } from './measure-sync.ts';

/** The bars of a first sync are for 1,000,000 objects; at another size they are taken in proportion. */
const fullSize = 1_000_000;
const fullSeconds = 60;
const fullResident = 1.5e9;
/** Memory that a collector needs before it has seen an object, measured: no bar can be in proportion below it. */
const emptyResident = 0.25e9;

function areaOf({ clusters, kinds, objects }: FleetSize): string {
  return `First full sync: ${clusters} clusters x ${kinds} kinds, ${(clusters * objects).toLocaleString('en')} objects`;
}

function residentFigures(area: string, { objects, mostResident, storeBytes }: SyncProgress): readonly Figure[] {
  const at = '1,000 x 1,000 in proportion';
  const most = emptyResident + ((fullResident - emptyResident) * objects) / fullSize;
  return [
    { area, name: 'collector resident at most', value: mostResident, unit: 'bytes', bar: { most, at } },
    { area, name: 'of it per object', value: mostResident / objects, unit: 'bytes', bar: null },
    { area, name: 'store', value: storeBytes, unit: 'bytes', bar: null },
  ];
}

/** The least that any program would need to read what is read. */
export function ceilingFigures(size: FleetSize, ceiling: CeilingResult): readonly Figure[] {
  const area = areaOf(size);
  return [
    { area, name: 'ceiling: read, parsed, nothing done', value: ceiling.seconds, unit: 's', bar: null },
    { area, name: 'JSON read by the ceiling', value: ceiling.bytes, unit: 'bytes', bar: null },
    { area, name: 'ceiling', value: ceiling.cpu, unit: 'CPU s', bar: null },
  ];
}

/** Figures of a first sync that was ended early. */
export function startedSyncFigures(size: FleetSize, progress: SyncProgress): readonly Figure[] {
  const area = `${areaOf(size)}, ended early`;
  const { objects, seconds, cpu } = progress;
  return [
    { area, name: 'in the store', value: objects, unit: 'count', bar: { least: size.clusters * size.objects } },
    { area, name: 'after', value: seconds, unit: 's', bar: null },
    { area, name: 'stored', value: objects / seconds, unit: 'objects/s', bar: { least: fullSize / fullSeconds } },
    { area, name: 'collector', value: cpu, unit: 'CPU s', bar: null },
    ...residentFigures(area, progress),
  ];
}

/** Figures of a first sync, beside its ceiling. */
export function syncFigures(size: FleetSize, sync: SyncResult, ceiling: CeilingResult): readonly Figure[] {
  const area = areaOf(size);
  const most = (fullSeconds * sync.objects) / fullSize;
  const at = '1,000 x 1,000 in proportion';
  return [
    { area, name: 'everything in the store', value: sync.seconds, unit: 's', bar: { most, at } },
    {
      area,
      name: 'stored',
      value: sync.objects / sync.seconds,
      unit: 'objects/s',
      bar: { least: fullSize / fullSeconds },
    },
    {
      area,
      name: 'sync to ceiling, wall time',
      value: sync.seconds / ceiling.seconds,
      unit: 'times',
      bar: { most: 2 },
    },
    { area, name: 'collector', value: sync.cpu, unit: 'CPU s', bar: null },
    { area, name: 'of it before the first byte', value: sync.startCpu, unit: 'CPU s', bar: null },
    { area, name: 'sync to ceiling, CPU', value: sync.cpu / ceiling.cpu, unit: 'times', bar: null },
    ...residentFigures(area, sync),
    {
      area,
      // The generated fleet is in order: what is not said to be was judged before all that it depends on was known.
      name: 'objects converged',
      value: sync.verdicts.get('converged') ?? 0,
      unit: 'count',
      bar: { least: size.clusters * size.objects },
    },
    {
      area,
      name: 'clusters with every kind followed',
      value: sync.followed,
      unit: 'count',
      bar: { least: size.clusters },
    },
  ];
}
