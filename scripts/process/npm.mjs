// What npm tells a script that it runs, and what it keeps for itself.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/** True if npm runs a script of this checkout; a program that was started from such a script of another one is not. */
export function isRunByNpm(root, env = process.env) {
  if (env.npm_package_json === undefined || env.INIT_CWD === undefined) return false;
  try {
    return realpathSync(env.npm_package_json) === realpathSync(join(root, 'package.json'));
  } catch {
    return false;
  }
}

/** Long options of Plumbline that npm takes for its own where `--` is missing. Not --scope: npm has one, which people set for good. */
export const optionsOfPlumbline = [
  'all-contexts',
  'all-kinds',
  'badge',
  'check',
  'cluster',
  'commit',
  'config',
  'context',
  'data',
  'dry-run',
  'expires',
  'format',
  'from',
  'grant',
  'host',
  'label',
  'list',
  'new',
  'new-key',
  'object',
  'output',
  'period',
  'port',
  'provider-group',
  'replace',
  'revoke',
  'role',
  'source',
  'text',
  'theme',
  'timeout',
  'to',
  'url',
  'wait',
];

/**
 * One line that says how to write a command of which npm has taken options, null where it has taken none. npm hands
 * `--context c3` without `--` on as npm_config_context=true and the argument c3, `--context=c3` as npm_config_context=c3.
 */
export function takenByNpm(env, name, args) {
  const taken = optionsOfPlumbline.flatMap((option) => {
    const value = env[`npm_config_${option.replaceAll('-', '_')}`];
    return value === undefined ? [] : [{ option: `--${option}`, value }];
  });
  const [first] = taken;
  if (first === undefined) return null;
  const command = name === 'plumbline' ? args.slice(0, 1) : [];
  const written = taken.flatMap(({ option, value }) => (value === 'true' ? [option] : [option, value]));
  const whole = [...command, ...written, ...args.slice(command.length)].join(' ');
  const script = name === 'start' || name === 'test' ? name : `run ${name}`;
  return `npm keeps ${first.option} for itself: what is meant for Plumbline stands after "--". npm ${script} -- ${whole}`;
}
