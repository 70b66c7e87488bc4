import { readFile } from 'node:fs/promises';

const lookEvery = 200;
const page = 4_096;
/** Programs that are looked at: git starts a handful. */
const mostPrograms = 50;
/** It knows every object of a pack, of which there may be millions, and two of those that are made of others. */
const unpacks = /\0(?:index-pack|unpack-objects)\0/;

/**
 * Calls back, once, when a process, or one that it has started, has taken more memory (bytes) than `most`, of its own and in use; twice as much may
 * the one that unpacks. As Linux tells it, elsewhere never. Gives what ends the looking.
 */
export function watchMemory(pid: number | undefined, most: number, exceeded: () => void): () => void {
  if (process.platform !== 'linux' || pid === undefined) return () => undefined;
  let looking = false;
  let ended = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void isOver(pid, most).then((over) => {
      looking = false;
      if (!over || ended) return;
      end();
      exceeded();
    });
  }, lookEvery);
  const end = (): void => {
    ended = true;
    clearInterval(timer);
  };
  return end;
}

/** Never rejects: a process that has ended has none. */
async function isOver(pid: number, most: number): Promise<boolean> {
  const open = [pid];
  for (let looked = 0; looked < mostPrograms; looked += 1) {
    const next = open.pop();
    if (next === undefined) return false;
    const taken = await memoryOf(next);
    if (taken > most * 2 || (taken > most && !unpacks.test(await told(`/proc/${next}/cmdline`)))) return true;
    const started = await told(`/proc/${next}/task/${next}/children`);
    open.push(...started.split(' ').filter(Boolean).map(Number));
  }
  return false;
}

async function memoryOf(pid: number): Promise<number> {
  const [, resident = 0, shared = 0] = (await told(`/proc/${pid}/statm`)).split(' ').map(Number);
  return (resident - shared) * page;
}

function told(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}
