import { legible } from '#lib/domain/observation/legible.ts';
import { secretSpans } from '#lib/domain/observation/redaction/secret-spans.ts';
import { masked, type Span } from '#lib/domain/observation/redaction/span.ts';
import type { GitPlace } from '../../port/git-reader.ts';
import type { FileDiff } from '../../port/shapes.ts';
import { notTold, told, type Answered } from '../answered.ts';
import type { TreeEntry } from '../objects.ts';
import { shaOf, unknownPoint, type Opened } from '../opened.ts';
import { askedPath } from '../raw-path.ts';
import { isText, largestShown } from './content.ts';
import { readHunks, type Hunk } from './hunks.ts';

/** Longest line that is told (characters). */
const longestLine = 1_024;
const mostLines = 2_000;
/** Longest difference that is read (bytes). */
const mostBytes = 4 * largestShown;

type Content = FileDiff['content'];

/** One side: its lines, which are none where there is no such file. */
interface Side {
  readonly id: string | null;
  readonly content: Content;
  readonly lines: readonly string[];
}

/** Two files, line by line. */
export async function diffFiles(opened: Opened, left: GitPlace, right: GitPlace): Promise<Answered<FileDiff>> {
  const [one, other] = [await sideOf(opened, left), await sideOf(opened, right)];
  if (typeof one === 'string') return notTold(one);
  if (typeof other === 'string') return notTold(other);
  if (one.id === null && other.id === null) return notTold('There is no such file on either side.');
  const content = worse(one.content, other.content);
  if (content === 'binary' || content === 'too-large') return told({ content, hunks: [], cut: false });
  if (one.id === other.id) return told({ content, hunks: [], cut: false });
  const hunks = await hunksOf(opened, one, other);
  return told({ content, ...toldHunks(hunks, one, other) });
}

/** A submodule and a link are no text; of two sides the less readable one counts. */
function worse(one: Content, other: Content): Content {
  const order: readonly Content[] = ['too-large', 'binary', 'submodule', 'link', 'text'];
  return order.find((content) => content === one || content === other) ?? 'text';
}

async function sideOf(opened: Opened, { at, path }: GitPlace): Promise<Side | string> {
  const sha = shaOf(opened, at);
  const raw = askedPath(path);
  if (sha === null) return unknownPoint('no-such-branch');
  if (raw === null || raw === '') return 'This path names no file of the repository.';
  const [info] = await opened.objects.info([sha]);
  if (info?.type !== 'commit') return unknownPoint('no-such-commit');
  const entry = await opened.objects.entryAt(sha, raw);
  if (entry === null || entry.type === 'tree') return { id: null, content: 'text', lines: [] };
  if (entry.type === 'commit') return { id: entry.id, content: 'submodule', lines: [`commit ${entry.id}`] };
  return readSide(opened, entry);
}

async function readSide({ objects }: Opened, { id, mode }: TreeEntry): Promise<Side> {
  // One that is not there was too large to be fetched.
  const bytes = (await objects.contents([id], largestShown, largestShown)).get(id);
  if (bytes === undefined) return { id, content: 'too-large', lines: [] };
  if (!isText(bytes)) return { id, content: 'binary', lines: [] };
  return { id, content: mode === '120000' ? 'link' : 'text', lines: cleanLines(bytes.toString('utf8')) };
}

/** Lines without what may be secret in the whole: a secret may go over several, and be known by the lines around it. */
function cleanLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  const spans = spansOf(text).toSorted((a, b) => a.from - b.from);
  let open: Span[] = [];
  let [start, next] = [0, 0];
  return lines.map((line) => {
    const end = start + line.length;
    for (let span = spans[next]; span !== undefined && span.from < end; span = spans[next]) {
      open.push(span);
      next += 1;
    }
    const clean = cleanLine(line, within(open, start, end));
    open = open.filter(({ to }) => to > end);
    start = end + 1;
    return clean;
  });
}

/** Each document of a file alone: behind the data of a Secret everything of it is hidden. */
function spansOf(text: string): readonly Span[] {
  const starts = [0, ...Array.from(text.matchAll(/^---(?=\s|$)/gm), ({ index }) => index)];
  return starts.flatMap((start, number) =>
    secretSpans(text.slice(start, starts[number + 1])).map(({ from, to, instead }) => ({
      from: from + start,
      to: to + start,
      instead,
    })),
  );
}

function within(spans: readonly Span[], start: number, end: number): readonly Span[] {
  return spans
    .filter(({ from, to }) => from < end && to > start)
    .map(({ from, to, instead }) => ({ from: Math.max(0, from - start), to: Math.min(end, to) - start, instead }));
}

function cleanLine(line: string, spans: readonly Span[]): string {
  const clean = legible(masked(line, spans).replaceAll('\r', ''));
  return (clean.length > longestLine ? `${clean.slice(0, longestLine - 1)}…` : clean).toWellFormed();
}

async function hunksOf({ objects }: Opened, left: Side, right: Side): Promise<readonly Hunk[]> {
  const whole = { left: left.lines.length, right: right.lines.length };
  const isBlob = ({ id, content }: Side): boolean => id !== null && content !== 'submodule';
  // One side alone, or a commit in place of a file: everything is another.
  if (!isBlob(left) || !isBlob(right))
    return [{ left: 1, right: 1, marks: '-'.repeat(whole.left) + '+'.repeat(whole.right) }];
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--text', '--unified=3'];
  const args = ['diff', ...options, '--end-of-options', left.id ?? '', right.id ?? ''];
  return readHunks((await objects.run(args, { mostBytes })).toString('latin1'));
}

function toldHunks(hunks: readonly Hunk[], left: Side, right: Side): Pick<FileDiff, 'hunks' | 'cut'> {
  const found: FileDiff['hunks'] = [];
  let count = 0;
  for (const hunk of hunks) {
    const lines: FileDiff['hunks'][number]['lines'] = [];
    let [mine, yours] = [hunk.left, hunk.right];
    for (const mark of hunk.marks) {
      if (count >= mostLines) break;
      count += 1;
      const isLeft = mark !== '+';
      const isRight = mark !== '-';
      const text = (isRight ? right.lines[yours - 1] : left.lines[mine - 1]) ?? '';
      const type = isLeft && isRight ? 'same' : isLeft ? 'left' : 'right';
      lines.push({ type, left: isLeft ? mine : null, right: isRight ? yours : null, text });
      mine += Number(isLeft);
      yours += Number(isRight);
    }
    if (lines.length > 0) found.push({ lines });
  }
  return { hunks: found, cut: hunks.reduce((sum, { marks }) => sum + marks.length, 0) > mostLines };
}
