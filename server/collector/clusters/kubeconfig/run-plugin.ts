import { spawn } from 'node:child_process';

/** Result of a plugin: what it said, whole; or why there is none, in words that follow its name ("failed (3): why"). */
export type PluginRan =
  | { readonly type: 'ok'; readonly text: string }
  | { readonly type: 'failed'; readonly code: string; readonly said: string }
  | { readonly type: 'too-long' }
  | { readonly type: 'too-much' };

/** One run of a plugin. */
export interface PluginRun {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** ms that it may take. */
  readonly timeout: number;
}

/** Bytes that a plugin may say. */
const most = 1_000_000;
/** Time (ms) in which what a plugin wrote last comes, once it has ended: something that it has started may hold its output open for ever. */
const drain = 100;

/** Plugins that run. In groups of their own they would outlive this process, one more with each restart. */
const running = new Set<number>();

function endAll(): void {
  for (const pid of running) killGroup(pid);
}

function watch(pid: number): void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(pid);
}

function unwatch(pid: number): void {
  running.delete(pid);
  if (running.size === 0) process.off('exit', endAll);
}

/**
 * Runs a plugin without input. Where it does not end in time, or says too much, all that it has started ends with it, and so where this process
 * ends first. Rejects where the system cannot start it now.
 */
export async function runPlugin(path: string, { args, env, timeout }: PluginRun): Promise<PluginRan> {
  // A group of its own: a script that waits for another program leaves that one behind else, each time that it is tried again.
  const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true, windowsHide: true });
  const { pid } = child;
  if (pid !== undefined) watch(pid);
  return new Promise((resolve) => {
    const [out, said]: readonly [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    const timer = setTimeout(() => end({ type: 'too-long' }), timeout);

    function end(ran: PluginRan): void {
      clearTimeout(timer);
      if (pid !== undefined) unwatch(pid);
      if (ran.type === 'too-long' || ran.type === 'too-much') killGroup(pid);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(ran);
    }

    function take(piece: Buffer, into: Buffer[]): void {
      bytes += piece.length;
      if (bytes > most) end({ type: 'too-much' });
      else into.push(piece);
    }

    function ended(code: number | null, signal: NodeJS.Signals | null): void {
      const text = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString('utf8');
      if (code === 0) end({ type: 'ok', text: text(out) });
      else end({ type: 'failed', code: String(code ?? signal ?? 'unknown'), said: text(said) });
    }

    child.stdout.on('data', (piece: Buffer) => take(piece, out));
    child.stderr.on('data', (piece: Buffer) => take(piece, said));
    child.on('error', (error) =>
      end({ type: 'failed', code: 'code' in error ? String(error.code) : 'unknown', said: '' }),
    );
    child.on('close', ended);
    child.on('exit', (code, signal) => void setTimeout(ended, drain, code, signal).unref());
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
