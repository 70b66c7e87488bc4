import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runGit, runGitWith } from './run-git.ts';

/** The variables of a program that git starts. */
async function environmentOfChild(run: typeof runGit): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-run-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ran = await run(folder, ['-c', 'alias.told=!env', 'told'], { longest: 10_000, mostBytes: 65_536 });
  if (ran.type === 'failed') throw new Error(ran.words);
  const lines = ran.output.toString('utf8').split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

it('gives git a home where there is none: unset, curl asks the system for it, and a host that a cluster names gets what stands in ~/.netrc', async () => {
  expect((await environmentOfChild(runGit)).get('HOME')).toBe('/dev/null');
  const overNetwork: typeof runGit = (...asked) => runGitWith({ GIT_ALLOW_PROTOCOL: 'https' }, ...asked);
  const told = await environmentOfChild(overNetwork);
  expect([told.get('HOME'), told.get('GIT_ALLOW_PROTOCOL')]).toEqual(['/dev/null', 'https']);
});

it('gives it nothing of our own environment but the way to programs', async () => {
  const told = [...(await environmentOfChild(runGit)).keys()];
  const own = told.filter((name) => !/^(?:GIT_|LC_ALL$|NODE_ENV$|PATH$|HOME$|PWD$|SHLVL$|OLDPWD$|_?$)/.test(name));
  expect(own).toEqual([]);
});
