import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { parseForeign, textAt } from '#lib/foreign.ts';

const root = join(import.meta.dirname, '..');
const unpacked = join(root, '.plumbline', 'browser');

/** Switches off what tests do not need and what would talk to the network. Web security stays as people have it. */
const quiet = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
];

/** Only the fonts beside this file, so that a page looks alike on every machine. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="relative">../fonts-cache</cachedir>
</fontconfig>
`;

interface Program {
  readonly path: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts a headless browser: the one named by PLUMBLINE_BROWSER, on Linux (x64) the one that npm has brought,
 * elsewhere the installed Chrome.
 */
export async function launchBrowser(): Promise<Browser> {
  const program = await findBrowser();
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    headless: true,
    args: [...quiet, ...sandbox],
    env: { ...inheritedEnvironment(), ...program.environment },
    ...(program.path === undefined ? { channel: 'chrome' } : { executablePath: program.path }),
  });
}

async function findBrowser(): Promise<Program> {
  const named = process.env['PLUMBLINE_BROWSER'];
  if (named) return { path: named, environment: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return broughtBrowser();
  return { path: undefined, environment: {} };
}

/** The browser of @sparticuz/chromium with its own libraries and fonts, unpacked once into .plumbline/browser. */
async function broughtBrowser(): Promise<Program> {
  const manifest = parseForeign(await readFile(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'));
  const folder = join(unpacked, textAt(manifest, 'version') ?? 'unknown');
  if (!(await exists(folder))) await unpack(folder);
  return {
    path: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
      HOME: folder,
    },
  };
}

/**
 * The package unpacks into the temporary folder of its process, and its libraries only where it believes itself on
 * Lambda: so a process of its own does it, and the folder appears under its name only when it is whole.
 */
async function unpack(folder: string): Promise<void> {
  await mkdir(unpacked, { recursive: true });
  const temporary = await mkdtemp(join(unpacked, 'unpacking-'));
  const script = `await (await import('@sparticuz/chromium')).default.executablePath()`;
  const env = { ...process.env, TMPDIR: temporary, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root, env });
  await writeFile(join(temporary, 'fonts', 'fonts.conf'), fontSettings);
  try {
    await rename(temporary, folder);
  } catch (error) {
    // Another test process was faster: its folder is as good.
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function inheritedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(entries);
}
