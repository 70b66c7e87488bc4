import { whyNothingIsKept } from '../../runtime/make-folder.ts';
import type { Output } from '../output.ts';

/** True where the data directory (absolute) takes a record; it is made where it is missing. Otherwise says why not. */
export function canKeep(directory: string, output: Output): boolean {
  const why = whyNothingIsKept(directory);
  if (why !== null) output.say(`The data directory ${directory} ${why}.`);
  return why === null;
}
