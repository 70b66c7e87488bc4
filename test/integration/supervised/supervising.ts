// Stands where server/cli/plumbline.ts stands: runs the programs named on the command line as `plumbline start` does.
import { basename, join } from 'node:path';
import { terminalOutput } from '#server/cli/output.ts';
import { runFleet } from '#server/cli/serving/run-fleet.ts';
import { recordPid } from './record-pid.ts';

recordPid('supervisor');
const first = process.argv.slice(2).map((program) => ({
  name: basename(program, '.ts'),
  program: join(import.meta.dirname, program),
  args: [],
  nodeFlags: [],
  inherits: ['PIDS'],
  environment: {},
}));
process.exit(
  await runFleet({ first, host: '127.0.0.1', port: 0, next: () => Promise.resolve([]) }, terminalOutput(process)),
);
