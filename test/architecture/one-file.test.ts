// An endpoint is one file and one line, its page one file: those that CONTRIBUTING.md tells, taken from there word for word, are
// planted into a copy of the program.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectAt, parseForeign } from '#lib/foreign.ts';
import { codeIn, plantProgram, type PlantedProgram } from './planted-program.ts';

const probe = 'test/architecture/planted-endpoint';
const planted = ['server/web/endpoints/versions.ts', 'app/versions/page.tsx'];
const pageTest = 'components/planted.test.tsx';
let program: PlantedProgram;

/** Renders the page over a running web process, as the server does, and shows it. */
const shows = `
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { runningWeb } from '#server/web/testing/running-web.ts';
import { sampleCluster } from '#server/web/testing/sample.ts';
import VersionsPage from '../app/versions/page.tsx';
import { showPage } from './testing/show-page.tsx';

vi.mock('next/server', () => ({ connection: () => Promise.resolve() }));

it('is shown', async () => {
  const web = await runningWeb();
  web.store.cluster(sampleCluster('eu-west-3', { version: 'v1.33.2' }));
  await web.advance(500);
  const page = await web.page(() => VersionsPage());
  await web.stop();
  showPage(page);
  expect(screen.getByRole('heading', { name: 'Versions of Kubernetes' })).toBeDefined();
  expect(screen.getByText('v1.33.2: eu-west-3')).toBeDefined();
});
`;

beforeAll(() => {
  const [endpoint = '', line = '', page = ''] = codeIn('CONTRIBUTING.md', '## Add an endpoint', '\n## ');
  const copied = ['app', 'components', 'lib', 'server', 'vitest.config.ts', 'test/contract', probe];
  program = plantProgram(copied);
  const at = (path: string): string => join(program.tree, path);
  mkdirSync(at('app/versions'));
  for (const [index, code] of [endpoint, page].entries()) writeFileSync(at(planted[index] ?? ''), code);
  appendFileSync(at('server/web/endpoints/registered.ts'), line);
  writeFileSync(at(pageTest), shows);
});

afterAll(() => program.remove());

it('is answered: now, of names, of moments, with its refusals and in the OpenAPI document', async () => {
  const { failed, out } = await program.run(join(probe, 'probe.ts'));
  expect(failed).toBeNull();
  const printed = parseForeign(out) ?? {};
  const [old, young] = [
    { version: 'v1.33.2', clusters: ['eu-west-3'] },
    { version: 'v1.36.0', clusters: ['us-east-1'] },
  ];
  expect(printed).toMatchObject({
    all: { status: 200, body: { versions: [old, young] } },
    one: { status: 200, body: { versions: [young] } },
    missing: { status: 404, body: { notThere: [{ parameter: 'cluster', value: 'us-east', nearest: ['us-east-1'] }] } },
    unknown: { status: 400, body: { detail: 'There is no parameter "version". Known are cluster, at.' } },
    future: { status: 400, body: { parameter: 'at' } },
  });
  const { paths, components } = objectAt(printed, 'document', 'body');
  expect(paths).toHaveProperty(['/api/v1/versions', 'get', 'parameters', 1, 'name'], 'at');
  expect(components).toHaveProperty('schemas.VersionList.properties.versions.type', 'array');
}, 60_000);

it('compiles with its page', async () => {
  expect(await program.build([...planted, pageTest])).toBeNull();
}, 60_000);

it('is shown by its page', async () => {
  const { failed } = await program.run('node_modules/vitest/vitest.mjs', 'run', '--project', 'ui', pageTest);
  expect(failed).toBeNull();
}, 90_000);
