/** Lines of a difference: the numbers of the first on each side, and one mark for each: ' ' on both, '-' left, '+' right. */
export interface Hunk {
  readonly left: number;
  readonly right: number;
  readonly marks: string;
}

/**
 * Where two files differ, as git's unified format says it. Their lines are not looked at but for the first character. A hunk says how many
 * lines it has: no line of a file is taken for the head of a hunk.
 */
export function readHunks(diff: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const lines = diff.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[at] ?? '');
    if (head === null) continue;
    const [, left, leftCount = '1', right, rightCount = '1'] = head;
    let [mine, yours] = [Number(leftCount), Number(rightCount)];
    let marks = '';
    while ((mine > 0 || yours > 0) && at + 1 < lines.length) {
      at += 1;
      const mark = (lines[at] ?? '')[0] ?? ' ';
      if (mark === '\\') continue;
      marks += mark;
      mine -= Number(mark !== '+');
      yours -= Number(mark !== '-');
    }
    hunks.push({ left: Number(left), right: Number(right), marks });
  }
  return hunks;
}
