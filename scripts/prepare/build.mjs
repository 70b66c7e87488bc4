// Builds the pages, only when something that they are made of has changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureTool } from '../process/child.mjs';
import { withLock } from './lock.mjs';
import { say } from './say.mjs';

const folders = ['app', 'components', 'lib', 'public', 'server/config', 'server/runtime', 'server/store', 'server/web'];
const files = ['next.config.ts', 'postcss.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** Builds the pages where needed. Gives 0, or the exit code of the build after having shown what it said. */
export async function ensureBuilt(root, node) {
  if (isBuilt(root)) return 0;
  return withLock(root, 'build', async () => {
    if (isBuilt(root)) return 0;
    const fingerprint = fingerprintOf(root);
    const stamp = stampPath(root);
    say('Building the pages (next build)');
    rmSync(stamp, { force: true });
    const started = Date.now();
    const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
    const { code, output } = await captureTool(node, ['node_modules/next/dist/bin/next', 'build'], { cwd: root, env });
    if (code !== 0) {
      process.stderr.write(output);
      process.stderr.write(`next build ended with ${code}.\n`);
      return code;
    }
    mkdirSync(join(root, '.next'), { recursive: true });
    writeFileSync(stamp, fingerprint);
    say(`Built in ${((Date.now() - started) / 1000).toFixed(0)} s`);
    return 0;
  });
}

function isBuilt(root) {
  if (!existsSync(join(root, '.next', 'BUILD_ID')) || !existsSync(stampPath(root))) return false;
  return readFileSync(stampPath(root), 'utf8') === fingerprintOf(root);
}

function stampPath(root) {
  return join(root, '.next', 'plumbline-build');
}

/** A hash of everything that the pages are made of; tests do not count. */
export function fingerprintOf(root) {
  const hash = createHash('sha256');
  for (const path of [...files, ...folders.flatMap((folder) => sourcesIn(root, folder))]) {
    if (!existsSync(join(root, path))) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function sourcesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sourcesIn(root, path);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
    })
    .sort();
}
