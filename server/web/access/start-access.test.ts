import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { startAccess } from './start-access.ts';

const settings = { publicUrl: 'https://plumbline.example.org', log: silentLog };
const auth = { oidc: null, proxy: null, access: [], teams: new Map() };

it('a disk that takes no key of sessions now may take one soon', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-start-access-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const started = await startAccess({ ...settings, auth, dataDirectory: join(folder, 'not-there') });
  expect(started).toMatchObject({ isPassing: true, why: expect.stringContaining('keys of sessions cannot be made') });
});

it('a secret that cannot be read is a mistake', async () => {
  const groups = { claim: ['groups'], names: new Map() };
  const named = { issuer: 'https://id.example.org', clientId: 'plumbline', clientSecretFile: '/not-there' };
  const oidc = { ...named, scopes: [], groups, sessionFor: 1_000, logout: 'here' as const };
  const started = await startAccess({ ...settings, auth: { ...auth, oidc }, dataDirectory: '/not-there' });
  expect(started).toMatchObject({ isPassing: false, why: expect.stringContaining('clientSecretFile') });
});
