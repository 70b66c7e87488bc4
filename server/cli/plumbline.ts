import { terminal } from './output.ts';
import { runCommandLine } from './program.ts';

// process.exit: what a command has started has ended by now, and nothing else may hold the terminal.
process.exit(await runCommandLine(process.argv.slice(2), terminal));
