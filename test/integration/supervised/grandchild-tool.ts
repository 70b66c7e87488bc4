// A tool that leaves a process of its own behind, as a bundler or a browser does.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { recordPid } from './record-pid.ts';

recordPid('tool');
spawn(process.execPath, [join(import.meta.dirname, 'stubborn-child.ts')], { stdio: 'ignore' });
setInterval(() => undefined, 1000);
