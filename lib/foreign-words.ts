import { redact, redactPath, redactUrl } from './domain/observation/redact.ts';
import { at, firstAt, textAt } from './foreign.ts';

/** Longest name, reason or version of a cluster, in UTF-16 units: that of a name in Kubernetes. */
export const longestName = 253;
/** Longest message, path, revision or reference of a cluster, in UTF-16 units. */
export const longestWord = 1_024;
/** Most entries that are kept of a list of an object: of its conditions and history, its finalizers, its references and rules, its parts. */
export const mostTold = 64;
export const mostFinalizers = 32;
export const mostReferences = 256;
const mostNames = 1_024;
export const mostParts = 4_096;
/** Longest list of words that a program reads, in UTF-16 units together: that of one source stands beside every path that is built from it. */
const longestList = 4_096;

/** Nothing but what Kubernetes lets objects be called by. A name is public: objects are told apart by it. */
const plainName = /^[a-z0-9._:/-]*$/;
/** "<namespace>_<name>_<group>_<kind>" */
const plainId = /^[a-z0-9-]*_[a-z0-9._:-]*_[a-z0-9.-]*_[A-Za-z0-9]*$/;
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/*
 * Whatever a cluster says comes in through one of these: of a bounded length, without secrets, and without letters that nobody sees or
 * that steer a terminal or the direction of a text (they are written as their numbers). `plumbline/foreign-words` of the linter keeps
 * every other way shut where clusters are read.
 */

/**
 * A name: of an object, namespace, kind, group, manager or version. A plain one stays as it is, for objects are told apart
 * by it.
 */
export function foreignName(text: string): string {
  return plainName.test(text) ? cut(text, longestName) : foreignReason(text);
}

/** The value of a label: one that is a plain name stays as it is, for it may name an object; any other is a word. */
export function foreignLabel(text: string): string {
  return plainName.test(text) ? cut(text, longestWord) : foreignWord(text);
}

/** Several names joined into one, as Flux writes them into an inventory. */
export function foreignId(text: string): string {
  return plainId.test(text) ? cut(text, longestWord) : line(text, longestWord, redact);
}

/** A reason, a type of condition, or another word that somebody chose freely. */
export function foreignReason(text: string): string {
  return line(text, longestName, redact);
}

/** A path, revision or reference, looked at as a whole and part by part. */
export function foreignWord(text: string): string {
  return line(text, longestWord, redactPath);
}

/** A URL, without its user information. */
export function foreignUrl(text: string): string {
  return line(text, longestWord, (whole, longest) => cut(redactUrl(whole), longest));
}

/** A text of many words, which may have several lines. */
export function foreignMessage(text: string): string {
  return redact(text.slice(0, longestWord * 2 + 1).replaceAll('\r', ' '), longestWord).toWellFormed();
}

function line(text: string, longest: number, clean: (text: string, longest: number) => string): string {
  return clean(text.slice(0, longest * 2 + 1).replace(breaks, ' '), longest).toWellFormed();
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

type Path = readonly string[];

function read(value: unknown, path: Path, clean: (text: string) => string): string | null {
  const text = textAt(value, ...path);
  return text === null ? null : clean(text);
}

/** The name at a path, or null. */
export function nameAt(value: unknown, ...path: Path): string | null {
  return read(value, path, foreignName);
}

/** The joined names at a path, or null. */
export function idAt(value: unknown, ...path: Path): string | null {
  return read(value, path, foreignId);
}

/** The reason, or other word of somebody's choice, at a path, or null. */
export function reasonAt(value: unknown, ...path: Path): string | null {
  return read(value, path, foreignReason);
}

/** The path, revision or reference at a path, or null. */
export function wordAt(value: unknown, ...path: Path): string | null {
  return read(value, path, foreignWord);
}

/** The URL at a path, or null. */
export function urlAt(value: unknown, ...path: Path): string | null {
  return read(value, path, foreignUrl);
}

/** The message at a path, or null. */
export function messageAt(value: unknown, ...path: Path): string | null {
  return read(value, path, foreignMessage);
}

/**
 * A text that a program reads (rules, a pattern), as it is: a part of it would mean something else. null where there is none, or where it
 * is too long to be kept, or holds what is not kept.
 */
export function wholeTextAt(value: unknown, ...path: Path): string | null {
  const text = textAt(value, ...path);
  return text !== null && foreignMessage(text) === text ? text : null;
}

/** The words in the array at a path, as they are; null where there is something else, more than are kept, too long together, or one that would be changed. */
export function wholeWordsAt(value: unknown, ...path: Path): readonly string[] | null {
  const said = at(value, ...path);
  if (said === undefined || said === null) return [];
  if (!Array.isArray(said) || said.length > mostReferences) return null;
  const texts = said.filter((entry) => typeof entry === 'string');
  if (texts.reduce((sum, { length }) => sum + length, 0) > longestList) return null;
  const words = texts.filter((entry) => foreignWord(entry) === entry);
  return words.length === said.length ? words : null;
}

/** The first 1,024 names in the array at a path; none where there is none. */
export function namesAt(value: unknown, ...path: Path): string[] {
  return firstAt(mostNames, value, ...path).flatMap((entry) => nameAt(entry) ?? []);
}

/** The first 256 words in the array at a path; none where there is none. */
export function wordsAt(value: unknown, ...path: Path): string[] {
  return firstAt(mostReferences, value, ...path).flatMap((entry) => wordAt(entry) ?? []);
}

/** Longest text that is looked at and never kept, in UTF-16 units: a ConfigMap holds no more. */
const longestUnkept = 1_048_576;

/**
 * A text at a path that is looked at and neither kept nor shown (a token to hand back, an id that is digested, JSON within a
 * string), as it is; null where there is none, or one that is too long.
 */
export function unkeptTextAt(value: unknown, ...path: Path): string | null {
  const text = textAt(value, ...path);
  return text === null || text.length > longestUnkept ? null : text;
}
