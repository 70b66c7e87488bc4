import { expect, it } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { defaultPolicy } from '#lib/domain/guarantee.ts';
import { matrixBoard } from './matrix-board.ts';
import type { KnownCluster } from './picture/known-cluster.ts';
import { knownCluster } from './testing/known.ts';
import { sampleDiverged, sampleNow, sampleObject } from './testing/sample.ts';

it('shows what is there while columns come and go for as long as it lives', () => {
  const still = knownCluster('a', [
    sampleDiverged({ cluster: 'a', name: 'kept' }),
    sampleObject({ cluster: 'a', name: 'other' }),
  ]);
  let all: readonly KnownCluster[] = [];
  const fleet = {
    cluster: () => null,
    all: () => all,
    stamp: () => all.reduce((sum, { stamp }) => sum + stamp, 0),
  };
  const board = matrixBoard(FleetView.parse({ sort: 'name' }), fleet, defaultPolicy, () => null);
  for (let turn = 2; turn < 2_600; turn++) {
    const preview = sampleObject({ cluster: 'b', name: `preview-${turn}` });
    const moved = knownCluster('b', [preview, sampleDiverged({ cluster: 'b', name: 'other' })]);
    all = [still, { ...moved, stamp: turn }];
    const { columns, rows } = board.read(sampleNow);
    expect(columns.map(({ title }) => title)).toEqual(['kept', 'other', `preview-${turn}`]);
    expect(rows.map(({ cells }) => cells)).toEqual(['Dc ', ' Dc']);
  }
});
