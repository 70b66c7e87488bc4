import { join } from 'node:path';
import { parseRefKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { refFromSegments } from '#lib/api/paths.ts';
import { formatBytes } from '#lib/format/number.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { describeOpenRefusal } from '../../store/port/open-refusal.ts';
import { purgeSqlite, type PurgeResult, type PurgeTarget } from '../../store/sqlite/purge/purge.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import type { Output } from '../output.ts';

/** Options of `plumbline purge`: exactly one of the first three. */
export interface PurgeOptions {
  readonly cluster?: string | undefined;
  readonly object?: string | undefined;
  readonly text?: string | undefined;
  readonly data?: string | undefined;
}

/** `plumbline purge`: removes something from the record for good. Gives the exit code. */
export function purge(
  options: PurgeOptions,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
  output: Output,
): number {
  const target = targetOf(options);
  if (typeof target === 'string') {
    output.say(target);
    return exitCode.usage;
  }
  const directory = dataDirectoryOf(options.data, environment);
  const result = purgeSqlite(join(directory, 'plumbline.db'), target, now);
  const name = nameOf(target);
  if (result.type === 'purged') {
    for (const line of lines(name, result)) output.out(line);
    return exitCode.ok;
  }
  for (const line of whyNot(name, result)) output.say(line);
  return result.type === 'unknown' || result.type === 'refused' ? exitCode.usage : exitCode.unavailable;
}

/** Target that is asked for, or a line that says why that cannot be read. */
function targetOf({ cluster, object, text }: PurgeOptions): PurgeTarget | string {
  if ([cluster, object, text].filter((given) => given !== undefined).length !== 1)
    return 'Say what to remove: one of --cluster NAME, --object REF or --text TEXT.';
  if (cluster !== undefined) return { type: 'cluster', name: cluster };
  if (text !== undefined) return { type: 'text', text };
  const ref = refOf(object ?? '');
  return ref === null
    ? `"${object}" is no object: cluster/group/kind/namespace/name, or the address of its page from /clusters/ on.`
    : { type: 'object', ref };
}

/** An object by its key or by the address of its page, in which "-" stands for no group and no namespace. */
function refOf(text: string): ObjectRef | null {
  const page = /\/clusters\/(.+)$/.exec(text)?.[1];
  const ref = parseRefKey(page ?? text);
  return ref === null || page === undefined ? ref : refFromSegments(ref);
}

function nameOf(target: PurgeTarget): string {
  switch (target.type) {
    case 'cluster':
      return `The cluster ${target.name}`;
    case 'object':
      return `${target.ref.kind} ${target.ref.namespace === '' ? '' : `${target.ref.namespace}/`}${target.ref.name} on ${target.ref.cluster}`;
    case 'text':
      return 'The text';
  }
}

/** Tables of which the counts say something to people. */
const counted: readonly (readonly [table: string, one: string, many: string])[] = [
  ['object', 'object', 'objects'],
  ['transition', 'change of verdict', 'changes of verdict'],
  ['absence', 'absence', 'absences'],
  ['change', 'change', 'changes'],
  ['correction', 'correction', 'corrections'],
  ['detail', 'detail', 'details'],
  ['text', 'text', 'texts'],
];

function lines(name: string, { removed, strings, mentions, before, after }: Extract<PurgeResult, { type: 'purged' }>) {
  const counts = counted.flatMap(([table, one, many]) => {
    const count = removed.filter((part) => part.table === table).reduce((sum, part) => sum + part.count, 0);
    return count === 0 ? [] : [countOf(count, one, many)];
  });
  return [
    `${name} is gone from the record for good: ${[...counts, `${formatCount(strings)} words that nothing else used`].join(', ')}.`,
    `The store went from ${formatBytes(before)} to ${formatBytes(after)}; its file was written anew.`,
    ...(mentions === 0
      ? []
      : [
          `${countOf(mentions, 'text')} of others still ${mentions === 1 ? 'names' : 'name'} it: --text removes that too.`,
        ]),
    'What a cluster still says is recorded again: mend it there first. Copies and backups of the store are not touched.',
  ];
}

/** " (node-1-4711: 2 leases)"; '' where nobody is known. */
function holdersOf({ holders }: Extract<PurgeResult, { type: 'held' }>): string {
  const known = holders.filter(({ holder }) => holder !== '');
  const words = known.map(({ holder, leases }) => (leases === 0 ? holder : `${holder}: ${countOf(leases, 'lease')}`));
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}

function whyNot(name: string, result: Exclude<PurgeResult, { type: 'purged' }>): readonly string[] {
  switch (result.type) {
    case 'held':
      return [
        `Nothing was removed: a collector writes this store${holdersOf(result)}.`,
        'Stop it, run this again, and start it: Ctrl-C where it runs in a terminal; in Kubernetes scale its Deployment to 0.',
        'One that was killed holds on for 15 s more.',
      ];
    case 'unknown':
      return [`${name} is not in the record: nothing was removed.`];
    case 'refused':
      return [`Nothing was removed: ${result.why}.`];
    case 'left':
      return [
        `${name} is removed from the tables, but its bytes may still be in the file: ${result.why}. Stop Plumbline and run this again.`,
      ];
    case 'missing':
    case 'unreleased':
    case 'newer':
    case 'older':
    case 'corrupt':
    case 'unusable':
      return [`Nothing was removed: ${describeOpenRefusal(result)}.`];
  }
}
