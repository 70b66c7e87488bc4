// After a change of dependencies: npm locks only what the registry at hand has. Where that is a mirror without the
// packages of other platforms they are left out of the lock, and `npm ci` refuses the lock everywhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** The optional packages that others in the lock ask for and that it does not hold: [{ path, name, version, dev }]. */
export function missingFromLock(packages) {
  const missing = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!isHeld(packages, path, name)) {
        missing.set(name, { path: `node_modules/${name}`, name, version, dev: entry.dev === true });
      }
    }
  }
  return [...missing.values()];
}

function isHeld(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}

/** The entry of a platform's package; what its name says of system and processor keeps it away from other machines. */
function platformEntry({ name, version, dev }) {
  const words = name.split(/[/-]/);
  const system = words.filter((word) => systems.includes(word));
  const processor = words.filter((word) => processors.includes(word));
  if (processor.length === 0) throw new Error(`${name} does not name its platform: lock it by hand`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return {
    version,
    cpu: processor,
    ...(dev ? { dev } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    ...(system.length > 0 ? { os: system } : {}),
  };
}

const path = join(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingFromLock(lock.packages);
for (const entry of missing) lock.packages[entry.path] = platformEntry(entry);
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
process.stderr.write(`${missing.length} packages of other platforms were added\n`);
