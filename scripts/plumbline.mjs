#!/usr/bin/env node
// The command `plumbline`: what npm links by `bin`, and ./plumbline in a clone.
import { runCommand } from './commands.mjs';

await runCommand('plumbline', process.argv.slice(2));
