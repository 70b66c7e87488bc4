import { exitCode } from '../runtime/exit-code.ts';
import { terminalOutput } from './output.ts';
import { runCommandLine } from './program.ts';

const output = terminalOutput(process);

/** Ends with a code that no verdict has: that of an uncaught fault is 1 in Node, which is a verdict of check. */
function failed(error: unknown): never {
  output.status?.(null);
  const words = error instanceof Error ? error.message : String(error);
  output.say(`plumbline: a fault of its own, not of your fleet: ${words.split('\n', 1)[0]}`);
  process.exit(exitCode.software);
}

/** A result that is lost is no result, whatever it would have said. Who reads no further, as `head` does, has lost nothing. */
function endIfLost(error: NodeJS.ErrnoException | null | undefined): void {
  if (!error || error.code === 'EPIPE') return;
  output.say(`plumbline: the result cannot be written: ${error.message}`);
  process.exit(exitCode.temporary);
}

/** Any long time (ms). */
const aliveEvery = 1_000_000;

// Timers of a clock keep no process alive: a command that waits for an answer of which nothing is under way would end unfinished.
setInterval(() => undefined, aliveEvery);
process.on('uncaughtException', failed);
process.stdout.on('error', endIfLost);
const code = await runCommandLine(process.argv.slice(2), output).catch(failed);
// What a command has started has ended by now; process.exit before the pipe has drained would cut its output short.
process.stdout.write('', (error) => {
  endIfLost(error);
  process.exit(code);
});
