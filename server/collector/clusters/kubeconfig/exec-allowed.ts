import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { type ForeignObject, listAt, textAt, textsAt } from '#lib/foreign.ts';
import type { ExecAllowance } from '#server/config/exec-allowance.ts';
import { type Failure, failure } from '../answer.ts';
import { redact } from '../redact.ts';

/** Which exec plugins may run. */
export interface ExecPolicy {
  /** These, with their arguments and environment. */
  readonly allowed: readonly ExecAllowance[];
  /** True for a context that a person chose by name: any, as kubectl would. */
  readonly any: boolean;
}

/** A program that may run, with all that it is given. */
export interface AllowedRun {
  readonly type: 'ok';
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Of our own environment, what a program needs to run at all: nothing in it makes a program load or run another. */
const minimal = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SystemRoot'];

/** The run of `users[].user.exec` where it may be; `folder` is what a relative command is relative to. */
export function allowedRun(exec: ForeignObject, folder: string, policy: ExecPolicy): AllowedRun | Failure {
  const command = textAt(exec, 'command');
  if (!command) return refused('the exec plugin of the kubeconfig names no command');
  const path = absolutePath(command, folder);
  if (path === null) return refused(`the exec plugin ${redact(command)} was not found`);
  const args = textsAt(exec, 'args');
  const asked = askedEnvironment(exec);
  if (policy.any) return { type: 'ok', path, args, env: { ...ownEnvironment(), ...asked } };
  const ofProgram = policy.allowed.filter((each) => each.path === path);
  if (ofProgram.length === 0)
    return refused(`the exec plugin ${redact(path)} is not allowed to run (security.execPlugins of plumbline.yaml)`);
  const ofArguments = ofProgram.filter((each) => sameTexts(each.args, args));
  if (ofArguments.length === 0)
    return refused(`the exec plugin ${redact(path)} is allowed to run, but not with these args (security.execPlugins)`);
  const whole = ofArguments.find(({ env }) => Object.entries(asked).every(([name, value]) => env[name] === value));
  if (whole === undefined)
    return refused(`the exec plugin ${redact(path)} is allowed to run, but not with this env (security.execPlugins)`);
  // What plumbline.yaml says runs, and nothing of the kubeconfig.
  return { type: 'ok', path: whole.path, args: whole.args, env: { ...minimalEnvironment(), ...whole.env } };
}

function askedEnvironment(exec: ForeignObject): Readonly<Record<string, string>> {
  const asked = new Map<string, string>();
  for (const each of listAt(exec, 'env')) {
    const name = textAt(each, 'name');
    if (name !== null) asked.set(name, textAt(each, 'value') ?? '');
  }
  return Object.fromEntries(asked);
}

function minimalEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(minimal.flatMap((name) => entryOf(name, process.env[name])));
}

/** All of ours, without what Plumbline's own processes tell each other. */
function ownEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (name.startsWith('PLUMBLINE_') ? [] : entryOf(name, value))),
  );
}

function entryOf(name: string, value: string | undefined): readonly [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}

/** As client-go: a bare name is looked for in PATH, anything with a separator is relative to the kubeconfig. */
function absolutePath(command: string, folder: string): string | null {
  if (isAbsolute(command)) return command;
  if (command.includes('/') || command.includes(sep)) return resolve(folder, command);
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((each) => isAbsolute(each));
  return folders.map((each) => join(each, command)).find((each) => existsSync(each)) ?? null;
}

function refused(message: string): Failure {
  return failure({ type: 'credentials', message });
}
