import { terminalOutput } from './output.ts';
import { runCommandLine } from './program.ts';

const code = await runCommandLine(process.argv.slice(2), terminalOutput(process));
// What a command has started has ended by now; process.exit before the pipe has drained would cut its output short.
process.stdout.write('', () => process.exit(code));
