import type { Rival } from '#lib/domain/observation/conflict.ts';
import { at, type ForeignObject, isForeignObject, timeAt } from '#lib/foreign.ts';
import { foreignWord, longestWord, nameAt } from '#lib/foreign-words.ts';
import { managedFieldsOf } from './managers.ts';

/** One who owns fields of an object, from managedFields. */
interface Owner {
  readonly manager: string;
  readonly fields: readonly unknown[];
  readonly at: number | null;
}

/** Nearly every object: one value for all of them. */
const nobody: readonly Rival[] = Object.freeze([]);

/** Fields told of one conflict; the number of all is not. */
const namedAtMost = 5;

/** Managers of either sort that are looked at: each is compared with each. The API server itself keeps few. */
const managersAtMost = 16;

/** Entries of one manager that are looked at: it has one for each version and subresource that it writes. */
const entriesAtMost = 16;

/** Keys of trees that are looked at of one object: 16 managers with 16 entries each could ask for millions, a second and more of the thread of all clusters. */
const keysAtMost = 50_000;

/** Room for looks at one object. */
interface Room {
  keys: number;
  /** Something was not looked at. */
  isOver: boolean;
}

/** The places of an object that are declared in git; status and finalizers are its controller's own. */
const declared = [['f:spec'], ['f:metadata', 'f:labels'], ['f:metadata', 'f:annotations']];

/** Field managers of GitOps, by the name that stands for all versions of one; null for any other. */
function gitOps(manager: string): string | null {
  if (manager === 'kustomize-controller' || manager === 'helm-controller') return manager;
  if (manager.startsWith('argocd-')) return 'argocd';
  return manager.startsWith('apiextensions.crossplane.io/composed/') ? manager : null;
}

/** Tools in a person's hand: kubectl-edit, kubectl-patch, the flux CLI, k9s, dashboards (they go by their browser's name). */
function isHand(manager: string): boolean {
  return (
    manager === 'kubectl' ||
    manager.startsWith('kubectl-') ||
    ['flux', 'k9s', 'Mozilla', 'node-fetch'].includes(manager)
  );
}

/**
 * Who else owns what git delivers: two GitOps managers that own the same fields, or a person's tool that owns fields of the
 * spec beside a GitOps manager. Values are never read, keys of lists (they may hold some) are left out.
 */
export function fieldRivals(object: unknown): readonly Rival[] {
  const entries = managedFieldsOf(object);
  return hasTwoManagers(entries) ? rivalsAmong(entries) : nobody;
}

/** Looked at without making anything: of a million objects nearly all have one manager. */
function hasTwoManagers(entries: readonly unknown[]): boolean {
  let first: string | null = null;
  let [second, byHand] = [false, false];
  for (const entry of entries) {
    const manager = nameAt(entry, 'manager');
    if (manager === null) continue;
    const name = gitOps(manager);
    if (name === null) byHand ||= isHand(manager);
    else if (first === null) first = name;
    else second ||= name !== first;
  }
  return first !== null && (second || byHand);
}

function rivalsAmong(entries: readonly unknown[]): readonly Rival[] {
  const owners = new Map<string, Owner>();
  const hands: Owner[] = [];
  const room: Room = { keys: keysAtMost, isOver: false };
  for (const entry of entries) {
    const manager = nameAt(entry, 'manager');
    if (manager === null) continue;
    const name = gitOps(manager);
    if (name === null && !isHand(manager)) continue;
    const written = at(entry, 'fieldsV1');
    const time = timeAt(entry, 'time');
    const known = name === null ? undefined : owners.get(name);
    const others = name === null ? hands.length : owners.size;
    if ((known?.fields.length ?? 0) >= entriesAtMost || (known === undefined && others >= managersAtMost)) {
      room.isOver = true;
    } else if (name === null) {
      hands.push({ manager, fields: [written], at: time });
    } else {
      const fields = [...(known?.fields ?? []), written];
      owners.set(name, { manager: name, fields, at: laterOf(known?.at ?? null, time) });
    }
  }
  const delivering = [...owners.values()].filter(ownsDeclared);
  const found = [
    ...pairs(delivering).flatMap((pair) => sharedFields(pair, room)),
    ...hands.flatMap((hand) => heldByHand(hand, delivering, room)),
    ...(room.isOver ? [{ type: 'uncompared', managers: namesOf(owners, hands) } as const] : []),
  ];
  return found.length === 0 ? nobody : found;
}

/** Some of those who own fields of what was not looked at whole. */
function namesOf(owners: ReadonlyMap<string, Owner>, hands: readonly Owner[]): readonly string[] {
  return [...new Set([...owners.keys(), ...hands.map(({ manager }) => manager)])].slice(0, namedAtMost);
}

function ownsDeclared(owner: Owner): boolean {
  return owner.fields.some((fields) => declared.some((path) => isForeignObject(at(fields, ...path))));
}

function pairs(owners: readonly Owner[]): (readonly [Owner, Owner])[] {
  return owners.flatMap((one, index) => owners.slice(index + 1).map((other) => [one, other] as const));
}

function sharedFields([one, other]: readonly [Owner, Owner], room: Room): Rival[] {
  const fields = new Set<string>();
  for (const a of one.fields)
    for (const b of other.fields)
      for (const path of declared) collect(at(a, ...path), at(b, ...path), nameOf(path), { fields, room });
  return fields.size === 0 ? [] : [rival(one, other, false, fields)];
}

function heldByHand(hand: Owner, delivering: readonly Owner[], room: Room): Rival[] {
  const fields = new Set<string>();
  for (const written of hand.fields) collect(at(written, 'f:spec'), null, 'spec', { fields, room });
  const [deliverer] = delivering;
  return fields.size === 0 || !deliverer ? [] : [rival(deliverer, hand, true, fields)];
}

function rival(one: Owner, other: Owner, byHand: boolean, fields: ReadonlySet<string>): Rival {
  return {
    type: 'fields',
    managers: [one.manager, other.manager],
    byHand,
    fields: [...fields].map(foreignWord),
    at: laterOf(one.at, other.at),
  };
}

/** Times in ms; null where neither is known. */
function laterOf(one: number | null, other: number | null): number | null {
  return Math.max(one ?? 0, other ?? 0) || null;
}

/** "metadata.labels" of ['f:metadata', 'f:labels']. */
function nameOf(path: readonly string[]): string {
  return path.map((key) => key.slice(2)).join('.');
}

/** Fields that were found, and how many keys may still be looked at. */
interface Collected {
  readonly fields: Set<string>;
  readonly room: Room;
}

/** Adds the fields that both trees own, or (with null for the other) that the one owns, until there are as many as are told. An empty tree owns all beneath it. */
function collect(one: unknown, other: unknown, name: string, collected: Collected): void {
  const { fields, room } = collected;
  if (fields.size >= namedAtMost) return;
  if (!isForeignObject(one) || (other !== null && !isForeignObject(other))) return;
  // No path of that length is told, and none so deep is followed.
  if (room.keys <= 0 || name.length > longestWord) {
    room.isOver = true;
    return;
  }
  const keys = keysIn(one, room);
  if (keys.length === 0 || (other !== null && keysIn(other, room).length === 0)) {
    fields.add(name);
    return;
  }
  for (const key of keys) {
    if (fields.size >= namedAtMost) return;
    const beside = other === null ? null : other[key];
    if (other !== null && beside === undefined) continue;
    if (key.startsWith('f:')) collect(one[key], beside, `${name}.${key.slice(2)}`, collected);
    else fields.add(name);
  }
}

/** The keys of a tree but for the one of itself. */
function keysIn(tree: ForeignObject, room: Room): readonly string[] {
  const keys = Object.keys(tree);
  room.keys -= keys.length + 1;
  return keys.filter((key) => key !== '.');
}
