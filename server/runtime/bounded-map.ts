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

/** Makes a map of two generations: what is not touched while a whole generation fills is dropped. */
export function boundedMap<K, V>(limit: number): BoundedMap<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();

  function set(key: K, value: V): void {
    if (young.size >= limit) {
      old = young;
      young = new Map();
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
