import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { at, listAt, objectAt, textAt } from '#lib/foreign.ts';
import { parseConfig } from '#server/config/load-config.ts';

const base = join(import.meta.dirname, '..', '..', 'deploy', 'base');

function manifest(name: string): unknown {
  return parse(readFileSync(join(base, name), 'utf8'));
}

const pod = objectAt(manifest('deployment.yaml'), 'spec', 'template', 'spec');
const [collector, web] = listAt(pod, 'containers');

it('gives the credentials to the collector and to nobody else', () => {
  const mounted = (container: unknown) => listAt(container, 'volumeMounts').map((mount) => textAt(mount, 'name'));
  expect(mounted(collector)).toContain('credentials');
  expect(mounted(web)).not.toContain('credentials');
  expect(at(pod, 'automountServiceAccountToken')).toBe(false);
  expect(at(manifest('service-account.yaml'), 'automountServiceAccountToken')).toBe(false);
});

it('runs programs that are there, without rights', () => {
  const programs = [collector, web].flatMap((container) => listAt(container, 'args'));
  expect(programs).toEqual(['server/collector/main.ts', 'server/web/main.ts']);
  for (const container of [collector, web]) {
    expect(at(container, 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
  expect(at(pod, 'securityContext', 'runAsNonRoot')).toBe(true);
});

it('brings a configuration that is sound', () => {
  expect(parseConfig(readFileSync(join(base, 'plumbline.yaml'), 'utf8'), '/etc/plumbline').type).toBe('ok');
});
