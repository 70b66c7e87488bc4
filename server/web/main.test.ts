import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { exitCode } from '#server/runtime/exit-code.ts';

const directory = mkdtempSync(join(tmpdir(), 'plumbline-web-'));
const config = join(directory, 'plumbline.yaml');
writeFileSync(config, 'clusters: none of them\n');
afterAll(() => rmSync(directory, { recursive: true }));

it.each([
  ['settings', { PLUMBLINE_SETTINGS: '{}' }, 'settings cannot be used'],
  ['configuration', { PLUMBLINE_CONFIG: config, PLUMBLINE_DATA: directory }, 'configuration cannot be used'],
])('the web process ends for good where its %s cannot be used, and says so', (_what, env, message) => {
  const program = new URL('main.ts', import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', program], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'test', ...env },
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain(message);
  expect(status).toBe(exitCode.config);
});
