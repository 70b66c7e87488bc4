import { join, resolve } from 'node:path';
import { settingOf } from '../config/process-settings.ts';

/** Where the record lies where nothing else is said: in the checkout, wherever its command is called. */
export const defaultData = join(import.meta.dirname, '../../.plumbline/data');

/** The data directory that --data or PLUMBLINE_DATA names, absolute; null where neither does. */
export function namedData(
  option: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const named = option ?? settingOf(environment, 'PLUMBLINE_DATA');
  return named === undefined ? null : resolve(named);
}

/** The data directory of a command, absolute: by --data, by PLUMBLINE_DATA, else that of the checkout. */
export function dataDirectoryOf(
  option: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return namedData(option, environment) ?? defaultData;
}
