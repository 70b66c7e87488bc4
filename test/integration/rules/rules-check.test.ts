// `plumbline rules --check` over the demo's clusters and its monitoring, where there is no record: its mistakes are those of the script.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLine } from '#server/cli/testing/run-line.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { type Simulator, startSimulator } from '#server/simulator/main.ts';
import { mistakes, readAlone } from '#server/simulator/monitoring/demo-intention.ts';
import { workDirectory } from '../running/running-fleet.ts';

const directory = workDirectory();
const nothing = { KUBECONFIG: 'FOLDER/none', PLUMBLINE_DATA: 'FOLDER/data' };
let simulator: Simulator;
let code: number;
let said: readonly string[];
let rows: readonly (readonly string[])[];

beforeAll(async () => {
  const options = { clock: systemClock, log: silentLog, directory: directory.path };
  simulator = await startSimulator({ ...options, story: 'opening' });
  const config = simulator.configPath.replace(directory.path, 'FOLDER');
  const ran = await runLine(directory.path, ['rules', '--check', '--config', config], nothing);
  ({ code, said } = ran);
  rows = ran.out.slice(1).map((line) => line.split(/ {2,}/));
}, 120_000);
afterAll(async () => {
  await simulator.stop();
  directory.remove();
});

/** Gaps of kinds on clusters that match, each once. */
function gapsOf(cluster: RegExp, kind: RegExp): readonly string[] {
  const found = rows.filter(([, of = '', name = '']) => cluster.test(of) && kind.test(name)).map(([gap = '']) => gap);
  return [...new Set(found)];
}

describe('the check of the demo', () => {
  it('ends with 1, and counts', () => {
    expect(code).toBe(1);
    expect(said).toContain('Reading the alarm sources once.');
    // Of rules that count no gap is told: one of the demo's sources cannot be read, and may have one.
    expect(said.at(-1)).toMatch(/^Of \d+ kinds on clusters: \d+ with a gap, \d+ unclear, \d+ sound\. 1 dead rule\.$/);
  });

  it('names the rule that is dead, and no other', () => {
    expect(rows.filter(([gap]) => gap === 'dead').map(([, , rule]) => rule)).toEqual([mistakes.rules.dead]);
  });

  it('names what no target exports', () => {
    for (const group of mistakes.notExported)
      expect(gapsOf(/^(?!stg-ap)/, new RegExp(`\\.${group.replaceAll('.', '\\.')}$`))).toEqual(['not-exported']);
  });

  it('names the rule that cannot be evaluated, the clock that is reset, and the cluster that is left out', () => {
    expect(gapsOf(/^eu-west-3$/, /^GitRepository\./)).toEqual(['not-evaluated']);
    expect(gapsOf(/^ap-/, /^Kustomization\./)).toEqual(['resets']);
    expect(gapsOf(/^stg-edge$/, /^Kustomization\./)).toEqual(['not-read']);
  });

  it('finds nothing amiss where alarms sound', () => {
    expect(gapsOf(/^(?:eu|us|sbx|stg-eu|stg-us)-/, /^(?:Kustomization|HelmRelease)\./)).toEqual([]);
    // These two kinds on six clusters of production, two of staging and two sandboxes.
    expect(said.at(-1)).toContain(', 20 sound.');
  });

  it('says nothing of the cluster whose Prometheus cannot be read', () => {
    expect(said).toContainEqual(expect.stringMatching(new RegExp(`^Not known: ${readAlone}: http`)));
    expect(gapsOf(new RegExp(`^${readAlone}$`), /./)).toEqual(['unclear']);
  });
});
