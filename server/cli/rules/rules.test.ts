import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clusterSource } from '#server/store/port/port.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { silentLog } from '../../runtime/log.ts';
import { openSqliteWriter } from '../../store/sqlite/writing/writer.ts';
import { runLine } from '../testing/run-line.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-rules-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** No context, no file, and the record of this test: whatever the machine has is not looked at. */
const nothing = { KUBECONFIG: 'FOLDER/none', PLUMBLINE_CONFIG: 'FOLDER/plumbline.yaml', PLUMBLINE_DATA: 'FOLDER' };
const rules = (...args: readonly string[]) => runLine(folder, ['rules', ...args], nothing);

async function recorded(objects: number): Promise<void> {
  const writer = openSqliteWriter({ path: join(folder, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('eu-west-3'), 'host-7', noon, 60_000);
  if (lease === null) throw new Error('no lease');
  const refs = Array.from({ length: objects }, (_, at) => refOf('eu-west-3', at));
  await writer.write(lease, batchOf({ objects: withDetails(refs.map((ref) => objectOf(ref))) }));
  await writer.close();
}

describe('plumbline rules', () => {
  beforeEach(() => writeFile(join(folder, 'plumbline.yaml'), 'publicUrl: https://plumbline.example.org\n'));

  it('writes the rules of the record to standard output, and says nothing else there', async () => {
    await recorded(2);
    const { code, out, said } = await rules();
    expect(code).toBe(0);
    expect(out.join('\n')).toContain('kind: PrometheusRule');
    expect(out.join('\n')).toContain('https://plumbline.example.org/go?');
    expect(said).toEqual([
      'Rules for 1 kind on 1 cluster.',
      'Fill in who is called, in alertmanager.yaml: Plumbline knows no key of a pager.',
    ]);
  });

  it('writes files whole, and writes over those of before', async () => {
    await recorded(1);
    const files = [
      'alertmanager.yaml',
      'kube-state-metrics-role.yaml',
      'kube-state-metrics.yaml',
      'plumbline.yaml',
      'rules.yaml',
    ];
    await rules('--output', 'FOLDER/a/b');
    const { code, out } = await rules('--output', 'FOLDER/a/b', '--format', 'prometheus');
    expect([code, out]).toEqual([0, []]);
    expect(await readdir(join(folder, 'a/b'))).toEqual(files);
    expect(await readFile(join(folder, 'a/b/rules.yaml'), 'utf8')).toMatch(/^groups:$/m);
  });

  it('says why where it cannot write', async () => {
    await recorded(1);
    const { code, said } = await rules('--output', 'FOLDER/plumbline.yaml');
    expect([code, said.at(-1)]).toEqual([
      69,
      expect.stringMatching(/^No rules: FOLDER\/plumbline.yaml cannot be written: /),
    ]);
  });

  it('writes none where nothing is recorded, and says so', async () => {
    await recorded(0);
    expect(await rules()).toEqual({
      code: 2,
      out: [],
      said: ['No rules: no object of any kind that Plumbline reads is known. --all-kinds writes those that it knows.'],
    });
    expect((await rules('--all-kinds')).code).toBe(0);
  });

  it('names clusters as the alarm sources of plumbline.yaml do, and asks which where they differ', async () => {
    await recorded(1);
    const label = (name: string, written: string): string =>
      `  - { name: ${name}, prometheus: "http://${name}:9090", clusterLabel: ${written}, clusterNames: { prod: eu-west-3 } }\n`;
    const clusters = 'clusters: [{ name: eu-west-3, kubeconfig: ./eu.yaml }]\n';
    await writeFile(join(folder, 'plumbline.yaml'), `${clusters}alarms:\n${label('mimir', 'k8s_cluster')}`);
    expect((await rules()).out.join('\n')).toContain('k8s_cluster=~"|eu-west-3|prod"');
    await writeFile(
      join(folder, 'plumbline.yaml'),
      `${clusters}alarms:\n${label('mimir', 'k8s_cluster')}${label('thanos', 'site')}`,
    );
    expect(await rules()).toEqual({
      code: 64,
      out: [],
      said: [
        'No rules: the alarm sources name clusters by k8s_cluster, site: write the rules of one source, with --source.',
      ],
    });
    expect((await rules('--source', 'thanos')).out.join('\n')).toContain('max by (site, customresource_group, ');
  });

  it('writes none for a cluster that is not known, and names those that are', async () => {
    await recorded(1);
    expect(await rules('--cluster', 'eu-west-4')).toEqual({
      code: 64,
      out: [],
      said: ['No rules: no object on a cluster eu-west-4 is known. There are: eu-west-3.'],
    });
  });

  it('says where kinds come from where there is no record and no cluster is named', async () => {
    expect(await rules()).toEqual({
      code: 69,
      out: [],
      said: [
        'No rules: there is no store at FOLDER/plumbline.db yet.',
        'Start Plumbline, or name clusters by --context or --config: they are read once.',
      ],
    });
  });

  it('takes nothing from a record that is damaged', async () => {
    await writeFile(join(folder, 'plumbline.db'), 'no store at all, whatever its name says');
    const { code, out, said } = await rules();
    expect([code, out]).toEqual([69, []]);
    expect(said).toEqual([expect.stringMatching(/^No rules: the store at FOLDER\/plumbline.db is damaged/)]);
  });

  it('refuses a configuration that is wrong, with its place', async () => {
    await writeFile(join(folder, 'plumbline.yaml'), 'nonsense: 1\n');
    const { code, said } = await rules();
    expect([code, said]).toEqual([78, [expect.stringContaining('nonsense')]]);
  });

  it('reads the clusters once where there is no record, and says which it cannot see', async () => {
    await writeFile(join(folder, 'plumbline.yaml'), 'clusters:\n  - name: eu\n    kubeconfig: ./eu.yaml\n');
    await writeFile(join(folder, 'eu.yaml'), 'clusters: []\n');
    const { code, said } = await rules('--timeout', '1');
    expect(code).toBe(2);
    expect(said[0]).toBe('Reading the clusters once.');
    expect(said[1]).toMatch(/^Not seen, so not among the rules: eu: misconfigured/);
    expect(said.at(-1)).toMatch(/^No rules: /);
  });
});
