import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseForeign, textAt } from '#lib/foreign.ts';

it('lines of JSON steer no terminal that shows them, and mean the same', () => {
  const reason = 'a\u001B[2Jb\u009B31mc\u202Ed';
  const program = `
    import { createLog } from '${join(import.meta.dirname, 'log.ts')}';
    createLog('collector', 'info').info({ reason: ${JSON.stringify(reason)} }, 'said');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toContain(String.raw`"reason":"a\u001b[2Jb\u009b31mc\u202ed"`);
  expect(textAt(parseForeign(stderr), 'reason')).toBe(reason);
});
