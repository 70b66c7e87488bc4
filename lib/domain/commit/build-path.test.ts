import { expect, it } from 'vitest';
import { type BuildPath, buildKey } from './build-path.ts';

it('has one key for equal builds, and others for all others, whatever a path is called', () => {
  const build = { path: 'apps', components: ['../tls'], ignore: null };
  const others: BuildPath[] = [
    'apps',
    { ...build, components: [] },
    { ...build, components: ['../tls', ''] },
    { ...build, ignore: '' },
    { ...build, ignore: '*.md' },
    JSON.stringify(['apps', ['../tls'], null]),
    JSON.stringify(['apps']),
    JSON.stringify([JSON.stringify(['apps'])]),
  ];
  expect(buildKey({ ...build })).toBe(buildKey(build));
  expect(new Set([build, ...others].map(buildKey)).size).toBe(9);
});
