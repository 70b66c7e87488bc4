import type { WireFleet, WireMark } from '#lib/api/fleet.ts';
import { countOf } from '#lib/format/number.ts';
import { verdictRank, type Verdict } from '#lib/domain/verdict/verdict.ts';
import {
  cellHref,
  countsOf,
  minutesAgo,
  wireColumn,
  wireFleet,
  wireFleetSummary,
  wireMark,
  wireRow,
} from './wire-fleet.ts';

const regions = ['eu-west', 'eu-central', 'us-east', 'us-west', 'ap-south', 'ap-northeast'] as const;
const teams = ['sources', 'platform', 'payments', 'catalogue', 'crossplane'] as const;
const deviations = ['D', 'R', 'H', 'S', 'P', 'B', 'W', 'G', 'U'] as const;

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function rankOf(worst: Verdict | null): number {
  return worst === null ? 99 : verdictRank(worst);
}

/** A fleet of any size, nearly in order: about one cluster in eight deviates somewhere, one in a hundred is lost. */
export function largeFleet(clusters: number, width: number, seed = 7): WireFleet {
  const random = numbers(seed);
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const columns = Array.from({ length: width }, (_, c) =>
    wireColumn(`service-${c + 1}`, teams[Math.floor((c * teams.length) / width)] ?? 'apps'),
  );
  const rows = Array.from({ length: clusters }, (_, index) => {
    const cluster = `${regions[index % regions.length] ?? 'eu'}-${String(index + 1).padStart(4, '0')}`;
    const group = index % 5 === 4 ? 'staging' : 'production';
    if (random() < 0.01) {
      return wireRow({
        cluster,
        group,
        cells: 'O'.repeat(width),
        state: 'unreachable',
        since: minutesAgo(Math.ceil(random() * 90)),
      });
    }
    const letters = Array.from({ length: width }, () => 'c');
    const marks: WireMark[] = [];
    for (let left = random() < 0.12 ? 1 + Math.floor(random() * 3) : 0; left > 0; left -= 1) {
      const c = Math.floor(random() * Math.ceil(width * 0.4));
      const column = columns[c];
      if (column === undefined || letters[c] !== 'c') continue;
      letters[c] = pick(deviations);
      const alarm =
        letters[c] === 'D' && random() < 0.08 ? 'silent' : pick(['sounding', 'pending', 'not-due', 'unknown'] as const);
      marks.push(
        wireMark({ c, alarm, href: cellHref(cluster, column), commit: '41be2aa', say: 'since 02:12 UTC, BuildFailed' }),
      );
    }
    return wireRow({ cluster, group, cells: letters.join(''), marks });
  }).toSorted(
    (a, b) => a.group.localeCompare(b.group) || rankOf(a.worst) - rankOf(b.worst) || a.cluster.localeCompare(b.cluster),
  );
  const broken = rows.reduce((sum, row) => sum + row.silent, 0);
  const away = rows.filter((row) => row.silent > 0).length;
  const summary = wireFleetSummary({
    guarantee: {
      ...wireFleetSummary().guarantee,
      truth: broken === 0 ? 'holds' : 'broken',
      lead: broken === 0 ? '' : `Not so on ${away} of ${clusters} clusters:`,
      body: `${countOf(broken, 'object')} away from git, and nobody is being called.`,
      broken,
      clusters: { total: clusters, unseen: 0, away },
    },
    counts: countsOf(rows.map((row) => row.cells).join('')),
    objects: clusters * width,
    clusters: { total: clusters, synced: clusters },
  });
  return wireFleet({ summary, columns, rows });
}
