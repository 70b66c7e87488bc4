/** A seeded source of numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to]. */
  between(from: number, to: number): number;
  /** `digits` hexadecimal digits. */
  hex(digits: number): string;
  /** One of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]]): T;
  /** Another sequence, fixed by this one's seed and `name`, independent of how far this one has run. */
  fork(name: string): Random;
}

/** Starts a sequence (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  function between(from: number, to: number): number {
    return from + Math.floor(next() * (to - from + 1));
  }

  return {
    next,
    between,
    hex(digits) {
      let text = '';
      for (let i = 0; i < digits; i++) text += Math.floor(next() * 16).toString(16);
      return text;
    },
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    fork: (name) => seededRandom(seed ^ hashOf(name)),
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
