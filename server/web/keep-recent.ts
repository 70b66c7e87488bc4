/** The value of a key, made where it is not kept; of more than `most` the least recently asked leaves. */
export function keepRecent<Value>(kept: Map<string, Value>, key: string, make: () => Value, most: number): Value {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(oldest);
  }
  return value;
}
