// The one door of every npm script.
import { runCommand } from './commands.mjs';

const [name, ...args] = process.argv.slice(2);
await runCommand(name, args);
