// Every command that a document gives is run on a fresh clone (test/real/commands.test.ts), or says why not.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsIn, documentedCommands } from '../real/commands/blocks.ts';
import { excused, played } from '../real/commands/listed.ts';

const documented = documentedCommands(join(import.meta.dirname, '..', '..'));
const listed: ReadonlySet<string> = new Set([...played, ...excused.keys()]);

describe('the commands of the documents', () => {
  it('are each run, or excused with a reason', () => {
    const neither = documented.filter(({ command }) => !listed.has(command));
    expect(neither.map(({ document, line, command }) => `${document}:${line}: ${command}`)).toEqual([]);
  });

  it('are all that is listed, once', () => {
    const given = new Set(documented.map(({ command }) => command));
    expect([...listed].filter((command) => !given.has(command))).toEqual([]);
    expect(listed.size).toBe(played.length + excused.size);
  });
});

describe('a block of commands', () => {
  it('is read by lines, without comments, and no other block is', () => {
    const text = [
      'Run `npm start`:',
      '```sh',
      '# first',
      'npm start -- --context a   # watches it',
      'kubectl apply \\',
      '  -f role.yaml',
      '',
      '```',
      '```yaml',
      'npm: test',
      '```',
      '- in a list:',
      '  ```bash',
      '  echo "a#b"',
      '  ```',
    ].join('\n');
    expect(commandsIn('README.md', text)).toEqual([
      { document: 'README.md', line: 4, command: 'npm start -- --context a' },
      { document: 'README.md', line: 5, command: 'kubectl apply -f role.yaml' },
      { document: 'README.md', line: 14, command: 'echo "a#b"' },
    ]);
  });
});
