/** Tells the person at the terminal what is being done. On standard error: standard output belongs to the command. */
export function say(line) {
  process.stderr.write(`\u203a ${line}\n`);
}
