/** A map that forgets what was not asked for lately, once it holds more than `limit` entries twice over. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

/** Makes of each key what `make` makes of it, and keeps it as `boundedMap` does. What is kept is never undefined. */
export function boundedMemo<K, V extends object | string>(limit: number, make: (key: K) => V): (key: K) => V {
  const known = boundedMap<K, V>(limit);
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = make(key)));
    return value;
  };
}

/** The weight of each that is kept, and `most` of all in a generation. */
export interface Weights<K, V> {
  readonly of: (key: K, value: V) => number;
  readonly most: number;
}

/** Makes a map of two generations: what is not touched while a whole generation fills is dropped. With `weights` one is full by its weight, too. */
export function boundedMap<K, V>(limit: number, weights: Weights<K, V> | null = null): BoundedMap<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let weight = 0;

  function set(key: K, value: V): void {
    const own = weights?.of(key, value) ?? 0;
    weight += own;
    if (young.size >= limit || (weights !== null && weight > weights.most)) {
      old = young;
      young = new Map();
      weight = own;
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const found = young.get(key);
      if (found !== undefined) return found;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
