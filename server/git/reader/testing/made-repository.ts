import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One commit to be made. Behind the tip of its branch, where no parents are given. */
export interface MadeCommit {
  readonly on: string;
  /** The first is the one that it is merged into; none: it is the first of its branch. */
  readonly parents?: readonly string[];
  /** Content by path; null removes a file. */
  readonly files?: { readonly [path: string]: string | Buffer | MadeEntry | null };
  readonly message?: string | Buffer;
  /** "Name <address>" */
  readonly author?: string;
  /** Seconds since the epoch. */
  readonly at?: number;
}

/** A link, or a submodule at a commit. */
export type MadeEntry = { readonly link: string } | { readonly submodule: string };

/** A bare repository in a temporary folder. */
export interface MadeRepository {
  readonly directory: string;
  /** Makes commits in order; gives their hashes. A branch is moved without asking. */
  commits(...made: readonly MadeCommit[]): readonly string[];
  /** Runs git there and gives its output without the last line feed. Throws where it fails. */
  git(args: readonly string[], input?: string | Buffer): string;
  /** Hash by branch. */
  branches(): ReadonlyMap<string, string>;
  remove(): void;
}

/** Makes an empty bare repository with git. Its branch is "main". */
export function madeRepository(format: 'sha1' | 'sha256' = 'sha1'): MadeRepository {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-git-'));
  const directory = join(folder, 'made.git');
  const marks = join(folder, 'marks');

  function git(args: readonly string[], input: string | Buffer = ''): string {
    const ran = spawnSync('git', ['--git-dir', directory, ...args], { input, maxBuffer: 64 * 1024 * 1024 });
    if (ran.status !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr.toString('utf8')}`);
    return ran.stdout.toString('utf8').replace(/\n$/, '');
  }

  git(['init', '--quiet', '--bare', '--initial-branch=main', `--object-format=${format}`, directory]);

  function branches(): ReadonlyMap<string, string> {
    const lines = git(['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/']).split('\n');
    return new Map(lines.filter(Boolean).map((line) => [line.slice(line.indexOf(' ') + 1), line.split(' ')[0] ?? '']));
  }

  return {
    directory,
    git,
    branches,
    commits(...made) {
      const tips = new Map(branches());
      const pieces: Buffer[] = [];
      for (const [number, commit] of made.entries()) {
        const mark = `:${number + 1}`;
        const tip = tips.get(commit.on);
        pieces.push(written(commit, mark, commit.parents ?? (tip === undefined ? [] : [tip])));
        tips.set(commit.on, mark);
      }
      git(['fast-import', '--quiet', '--force', `--export-marks=${marks}`], Buffer.concat(pieces));
      const found = new Map(
        readFileSync(marks, 'utf8')
          .split('\n')
          .map((line) => [line.split(' ')[0], line.split(' ')[1]]),
      );
      return made.map((_, number) => found.get(`:${number + 1}`) ?? '');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function written(commit: MadeCommit, mark: string, parents: readonly string[]): Buffer {
  const { on, files = {}, message = 'A commit', author = 'Ada <ada@example.org>', at = 1_700_000_000 } = commit;
  const [first, ...others] = parents;
  const lines = [
    // A branch that exists goes on where it is: it is begun anew.
    `reset refs/heads/${on}`,
    '',
    `commit refs/heads/${on}`,
    `mark ${mark}`,
    `author ${author} ${at} +0000`,
    `committer ${author} ${at} +0000`,
  ];
  const body = Buffer.from(message);
  const after = [...(first === undefined ? [] : [`from ${first}`]), ...others.map((other) => `merge ${other}`)];
  return Buffer.concat([
    Buffer.from(`${lines.join('\n')}\ndata ${body.length}\n`),
    body,
    Buffer.from(`\n${after.map((line) => `${line}\n`).join('')}`),
    ...Object.entries(files).map(([path, content]) => file(path, content)),
    Buffer.from('\n'),
  ]);
}

function file(path: string, content: string | Buffer | MadeEntry | null): Buffer {
  const name = quoted(path);
  if (content === null) return Buffer.from(`D ${name}\n`);
  if (typeof content === 'object' && 'submodule' in content) {
    return Buffer.from(`M 160000 ${content.submodule} ${name}\n`);
  }
  const isLink = typeof content === 'object' && 'link' in content;
  const bytes = Buffer.from(isLink ? content.link : content);
  const head = Buffer.from(`M ${isLink ? '120000' : '100644'} inline ${name}\ndata ${bytes.length}\n`);
  return Buffer.concat([head, bytes, Buffer.from('\n')]);
}

/** A path as bytes in C quotes. Letters up to U+00FF stand for the byte of that number: names that are no UTF-8 can be written. */
function quoted(path: string): string {
  const isBytes = path.startsWith('bytes:');
  const bytes = isBytes ? Buffer.from(path.slice(6), 'latin1') : Buffer.from(path, 'utf8');
  const letters = Array.from(bytes, (byte) => {
    const plain = byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    return plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${letters.join('')}"`;
}
