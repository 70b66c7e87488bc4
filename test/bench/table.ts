import { reached, written, type Figure } from './figure.ts';

function barText(figure: Figure): string {
  const { bar, unit } = figure;
  if (bar === null) return '';
  const limit = 'most' in bar ? `at most ${written(bar.most, unit)}` : `at least ${written(bar.least, unit)}`;
  return bar.at === undefined ? limit : `${limit} (${bar.at})`;
}

function verdict(figure: Figure): string {
  const met = reached(figure);
  return met === null ? '' : met ? 'reached' : 'missed';
}

/** The figures as a table for a terminal: name, figure, bar, and whether it is reached; a line above each area. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    written(figure.value, figure.unit),
    barText(figure),
    verdict(figure),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines: string[] = [];
  for (const [index, figure] of figures.entries()) {
    if (figure.area !== figures[index - 1]?.area) lines.push('', figure.area);
    const [name = '', value = '', bar = '', met = ''] = rows[index] ?? [];
    const cells = [name.padEnd(widths[0] ?? 0), value.padStart(widths[1] ?? 0), bar.padEnd(widths[2] ?? 0), met];
    lines.push(`  ${cells.join('  ')}`.trimEnd());
  }
  return `${lines.join('\n')}\n`;
}

/** One figure as it stands in the JSON file; what could not be measured is null there. */
export function record(figure: Figure): Figure & { readonly reached: boolean | null } {
  return { ...figure, reached: reached(figure) };
}
