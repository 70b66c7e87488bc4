/**
 * The four functions of the Reflect metadata proposal that @peculiar/x509 (through tsyringe) asks for when it is loaded.
 * Imported for its effect, before the library.
 */
const metadata = new WeakMap<object, Map<unknown, unknown>>();

function own(key: unknown, target: object): unknown {
  return metadata.get(target)?.get(key);
}

function inherited(key: unknown, target: object): unknown {
  for (let current: object | null = target; current; current = Object.getPrototypeOf(current)) {
    if (metadata.get(current)?.has(key)) return own(key, current);
  }
  return undefined;
}

function define(key: unknown, value: unknown, target: object): void {
  const entries = metadata.get(target) ?? new Map<unknown, unknown>();
  metadata.set(target, entries.set(key, value));
}

const functions = {
  getMetadata: inherited,
  getOwnMetadata: own,
  hasMetadata: (key: unknown, target: object) => inherited(key, target) !== undefined,
  defineMetadata: define,
};

for (const [name, value] of Object.entries(functions)) {
  if (!(name in Reflect)) Object.defineProperty(Reflect, name, { value, configurable: true, writable: true });
}
