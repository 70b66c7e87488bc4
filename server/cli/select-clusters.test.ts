import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { KubeContext } from '../config/kube-contexts.ts';
import { howToChoose, selectClusters, selectContexts } from './select-clusters.ts';

const contexts: readonly KubeContext[] = [
  { name: 'eu', server: 'https://eu.example.org', current: true, execPlugin: 'aws' },
  { name: 'us-east', server: null, current: false, execPlugin: null },
];

describe('selectContexts', () => {
  it.each([
    ['one', 'eu', ['eu']],
    ['several, with spaces and doubles', ' us-east, eu,eu,', ['us-east', 'eu']],
    ['all', undefined, ['eu', 'us-east']],
  ])('takes %s', (_case, wanted, names) => {
    expect(selectContexts(wanted, contexts)).toEqual({ type: 'selected', selection: { type: 'contexts', names } });
  });

  it('names the unknown one and those that there are', () => {
    expect(selectContexts('eu,asia', contexts)).toMatchObject({
      type: 'refused',
      code: 78,
      lines: [
        'No context is called asia. There are:',
        '  * eu       https://eu.example.org  (runs aws)',
        '    us-east  no cluster',
      ],
    });
  });

  it('names what was sought where there is no context at all', () => {
    const { lines } = { lines: [], ...selectContexts('c3', []) };
    expect(lines.slice(0, 2)).toEqual([
      'No context is called c3: the default kubeconfig has none.',
      'No cluster is configured, and the default kubeconfig names none.',
    ]);
  });

  it('refuses an empty list as wrong usage', () => {
    expect(selectContexts(' , ', contexts)).toMatchObject({ type: 'refused', code: 64 });
  });
});

describe('howToChoose', () => {
  it('lists what there is and gives commands that work as they stand', () => {
    expect(howToChoose(contexts)).toContain('  npm start -- --context eu,us-east');
    expect(howToChoose(contexts)).toContain('  * eu       https://eu.example.org  (runs aws)');
  });

  it('shows the demo where there is nothing to choose from', () => {
    expect(howToChoose([])[0]).toBe('No cluster is configured, and the default kubeconfig names none.');
  });
});

describe('selectClusters', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-select-'));
    await writeFile(join(folder, 'good.yaml'), 'clusters: [{ name: a }]\n');
    await writeFile(join(folder, 'empty.yaml'), 'clusters: []\n');
    await writeFile(join(folder, 'bad.yaml'), 'clusters: []\nclustres: []\n');
    await writeFile(join(folder, 'kubeconfig'), 'contexts: [{ name: here, context: {} }]\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('takes the file of the option before that of the environment', async () => {
    const path = join(folder, 'good.yaml');
    expect(await selectClusters({ config: path }, { PLUMBLINE_CONFIG: join(folder, 'bad.yaml') })).toEqual({
      type: 'selected',
      selection: { type: 'file', path },
    });
  });

  it.each([
    ['a file that is wrong', 'bad.yaml', ':2:1: unknown key "clustres": did you mean "clusters"?'],
    ['a file that names no cluster', 'empty.yaml', ': names no cluster'],
    ['a file that is not there', 'none.yaml', ': the file does not exist'],
  ])('refuses %s in one line with its place', async (_case, file, line) => {
    const path = join(folder, file);
    expect(await selectClusters({}, { PLUMBLINE_CONFIG: path })).toEqual({
      type: 'refused',
      code: 78,
      lines: [`${path}${line}`],
    });
  });

  it.each([
    [{ context: 'a', allContexts: true }, 64],
    [{ context: 'a', config: 'b' }, 64],
  ])('refuses %j', async (options, code) => {
    expect(await selectClusters(options, {})).toMatchObject({ type: 'refused', code });
  });

  it('reads the contexts of KUBECONFIG', async () => {
    const environment = { KUBECONFIG: join(folder, 'kubeconfig') };
    expect(await selectClusters({ allContexts: true }, environment)).toMatchObject({ selection: { names: ['here'] } });
    expect(await selectClusters({}, environment)).toMatchObject({ type: 'refused', code: 78 });
  });
});
