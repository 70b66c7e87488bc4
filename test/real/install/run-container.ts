import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ImageConfig } from './build-image.ts';

/** One container of a pod. */
export interface ContainerSpec {
  /** Folder that is the image's root. */
  readonly files: string;
  readonly config: ImageConfig;
  readonly args: readonly string[];
  readonly environment: { readonly [name: string]: string };
  /** Folders of this machine by the path at which the container has them. */
  readonly mounts: { readonly [path: string]: string };
}

/** A container that runs, or ran. */
export interface Container {
  readonly pid: number;
  /** The last that it has printed. */
  said(): string;
  /** Its exit code; null while it runs, and where it was killed. */
  code(): number | null;
  /** Sends SIGTERM, and SIGKILL after `grace` ms. Gives the exit code (null where it was killed) and the time that it took (ms). */
  end(grace: number): Promise<{ readonly code: number | null; readonly took: number }>;
}

/** Runs in the namespace of mounts of the container, as root: makes its file system, and becomes the program as the user of the image. */
const prepared = `
set -e
root=$1 user=$2 folder=$3 mounts=$4
shift 4
mount --bind "$root" "$root"
for mount in $mounts; do
  mkdir -p "$root\${mount#*=}"
  mount --bind "\${mount%%=*}" "$root\${mount#*=}"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -o remount,ro,bind "$root"
exec /usr/sbin/chroot --userspec="$user" "$root" /bin/sh -c 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"
`;

/**
 * Starts a container as a kubelet does where the chart asks for it: the user of the image without any right, a root that may only be read,
 * environment and folder of the image, a scratch folder, and nothing of this machine but its network. Needs root.
 */
export function startContainer({ files, config, args, environment, mounts }: ContainerSpec): Container {
  const binds = Object.entries(mounts)
    .map(([path, folder]) => `${folder}=${path}`)
    .join(' ');
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'production', ...environment };
  for (const line of config.environment) env[line.slice(0, line.indexOf('='))] ??= line.slice(line.indexOf('=') + 1);
  const inside = ['sh', files, config.user, config.folder, binds, ...config.entrypoint, ...args];
  // The namespace ends with the program: nothing stays mounted.
  const child = spawn('unshare', ['--mount', '--propagation', 'private', '/bin/sh', '-c', prepared, ...inside], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      said = `${said}${piece.toString()}`.slice(-20_000);
    });
  return {
    pid: child.pid ?? 0,
    said: () => said,
    code: () => child.exitCode,
    end: (grace) => endOf(child, grace),
  };
}

async function endOf(child: ChildProcess, grace: number) {
  const began = Date.now();
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), grace);
    await gone;
    clearTimeout(force);
  }
  return { code: child.exitCode, took: Date.now() - began };
}
