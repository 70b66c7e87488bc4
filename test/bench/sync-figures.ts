import type { Figure } from './figure.ts';
import type { CeilingResult } from './fleet-protocol.ts';
import type { FleetSize } from './fleet.ts';
import type { SyncResult } from './measure-sync.ts';

/** The bars of a first sync are for 1,000,000 objects; at another size they are taken in proportion. */
const fullSize = 1_000_000;
const fullSeconds = 60;
const fullResident = 1.5e9;
/** What a collector needs before it has seen an object, measured: no bar can be in proportion below it. */
const emptyResident = 0.25e9;

/** What a first sync came to, beside its ceiling. */
export function syncFigures(size: FleetSize, sync: SyncResult, ceiling: CeilingResult): readonly Figure[] {
  const area = `First full sync: ${size.clusters} clusters x ${size.kinds} kinds, ${sync.objects.toLocaleString('en')} objects`;
  const share = sync.objects / fullSize;
  const at = '1,000 x 1,000 in proportion';
  const resident = emptyResident + (fullResident - emptyResident) * share;
  return [
    { area, name: 'everything in the store', value: sync.seconds, unit: 's', bar: { most: fullSeconds * share, at } },
    {
      area,
      name: 'stored',
      value: sync.objects / sync.seconds,
      unit: 'objects/s',
      bar: { least: fullSize / fullSeconds },
    },
    { area, name: 'ceiling: read, parsed, nothing done', value: ceiling.seconds, unit: 's', bar: null },
    { area, name: 'JSON read by the ceiling', value: ceiling.bytes, unit: 'bytes', bar: null },
    {
      area,
      name: 'sync to ceiling, wall time',
      value: sync.seconds / ceiling.seconds,
      unit: 'times',
      bar: { most: 2 },
    },
    { area, name: 'collector', value: sync.cpu, unit: 'CPU s', bar: null },
    { area, name: 'of it before the first byte', value: sync.startCpu, unit: 'CPU s', bar: null },
    { area, name: 'ceiling', value: ceiling.cpu, unit: 'CPU s', bar: null },
    { area, name: 'sync to ceiling, CPU', value: sync.cpu / ceiling.cpu, unit: 'times', bar: null },
    { area, name: 'collector resident at most', value: sync.mostResident, unit: 'bytes', bar: { most: resident, at } },
    { area, name: 'of it per object', value: sync.mostResident / sync.objects, unit: 'bytes', bar: null },
    { area, name: 'store', value: sync.storeBytes, unit: 'bytes', bar: null },
    {
      area,
      // The generated fleet is in order: what is not said to be was judged before all that it stands on was known.
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
