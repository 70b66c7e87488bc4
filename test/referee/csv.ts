/** One line of CSV (RFC 4180) at `start`, and where the next one begins. */
function lineAt(text: string, start: number): { readonly cells: readonly string[]; readonly next: number } {
  const cells: string[] = [];
  let [at, cell] = [start, ''];
  while (at < text.length) {
    const sign = text[at];
    if (sign === '"') {
      // A doubled quote stands for one: the cell ends at the first that is alone.
      let close = at + 1;
      for (; close < text.length; close += 1) {
        if (text[close] !== '"') continue;
        if (text[close + 1] !== '"') break;
        close += 1;
      }
      cell += text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    } else if (sign === ',') {
      cells.push(cell);
      cell = '';
      at += 1;
    } else if (sign === '\r' || sign === '\n') {
      return { cells: [...cells, cell], next: at + (text.startsWith('\r\n', at) ? 2 : 1) };
    } else {
      cell += sign;
      at += 1;
    }
  }
  return { cells: [...cells, cell], next: at };
}

/** The rows of a CSV file under the names of its first line. */
export function csvRows(text: string): readonly Readonly<Record<string, string>>[] {
  const lines: (readonly string[])[] = [];
  for (let at = 0; at < text.length;) {
    const { cells, next } = lineAt(text, at);
    lines.push(cells);
    at = next;
  }
  const [head = [], ...rest] = lines;
  return rest.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
}
