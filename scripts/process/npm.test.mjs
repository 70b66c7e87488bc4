import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunByNpm, optionsOfPlumbline, takenByNpm } from './npm.mjs';

const root = join(import.meta.dirname, '..', '..');

/** Long options that the command line knows, by its source. */
function optionsInProgram() {
  const source = readFileSync(join(root, 'server', 'cli', 'program.ts'), 'utf8');
  return [...source.matchAll(/[oO]ption\(\s*'--([\w-]+)/g)].map(([, option]) => option);
}

describe('options that npm keeps for itself', () => {
  it('are all of Plumbline but --scope, which npm has itself, and the one of the scripts', () => {
    expect(new Set(optionsInProgram())).toEqual(new Set([...optionsOfPlumbline, 'scope', 'before-build']));
  });

  it('are no matter where npm has taken none', () => {
    expect(takenByNpm({ npm_config_registry: 'https://registry.example.org' }, 'start', [])).toBeNull();
  });

  it('are told as they are to be written', () => {
    expect(takenByNpm({ npm_config_dry_run: 'true', npm_config_port: 'true' }, 'start', ['5'])).toBe(
      'npm keeps --dry-run for itself: what is meant for Plumbline stands after "--". npm start -- --dry-run --port 5',
    );
  });
});

it('a script of another checkout is not run by npm here', () => {
  expect(isRunByNpm(root, {})).toBe(false);
  const elsewhere = join(root, 'scripts');
  expect(isRunByNpm(root, { npm_package_json: join(elsewhere, 'package.json'), INIT_CWD: elsewhere })).toBe(false);
  expect(isRunByNpm(root, { npm_package_json: join(root, 'package.json'), INIT_CWD: '/' })).toBe(true);
});
