import { readFile } from 'node:fs/promises';

const lookEvery = 200;
const page = 4_096;

/**
 * Calls back, once, when a process has taken more memory (bytes) than `most`, of its own and in use; as Linux tells it, elsewhere never. Gives
 * what ends the looking.
 */
export function watchMemory(pid: number | undefined, most: number, exceeded: () => void): () => void {
  if (process.platform !== 'linux' || pid === undefined) return () => undefined;
  const timer = setInterval(() => {
    void readFile(`/proc/${pid}/statm`, 'latin1')
      .then((text) => {
        const [, resident = 0, shared = 0] = text.split(' ').map(Number);
        if ((resident - shared) * page <= most) return;
        clearInterval(timer);
        exceeded();
      })
      // It has ended.
      .catch(() => undefined);
  }, lookEvery);
  return () => clearInterval(timer);
}
