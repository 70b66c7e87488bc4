import { compareText } from '#lib/domain/observation/compare-text.ts';
import { wordsOf } from '#lib/api/params.ts';
import type { ExemptionFilter, WireExemptionList, WireExemptionRow } from '#lib/api/exemption.ts';
import { objectPath } from '#lib/api/paths.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { exemptionKinds, exemptionSort, type Exemption, type ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import { exemptionSortTitle, exemptionTitle } from '#lib/format/exemption-label.ts';
import type { KnownCluster } from '../../cache/known-cluster.ts';
import { badCursor, type Refused } from '../../http/problem.ts';
import { csvHeader, csvPieces, type CsvColumns } from './csv.ts';
import { decodeCursor, encodeCursor, KindPosition } from './cursor.ts';
import type { WireContext } from '../wire-context.ts';
import { wireExemption } from '../object/wire-object.ts';
import { wordTest } from './object-matcher.ts';
import { wireTime, wireTimeOrNull } from '../wire-time.ts';

/** One exemption on one object; its `key` orders those of one kind: by cluster, name, field. */
interface Listed {
  readonly object: CurrentObject;
  readonly exemption: Exemption;
  readonly key: string;
}

interface Question {
  readonly clusters: readonly KnownCluster[];
  readonly wants: (kind: ExemptionKind) => boolean;
  readonly wantsAll: boolean;
  /** null where everything passes. */
  readonly keepsObject: ((object: CurrentObject) => boolean) | null;
  readonly keepsExemption: ((exemption: Exemption, object: CurrentObject) => boolean) | null;
}

/** The exemptions that a filter keeps, one page of them. */
export function exemptionList(
  clusters: readonly KnownCluster[],
  filter: ExemptionFilter,
  partial: readonly string[],
  context: WireContext,
): WireExemptionList | Refused {
  const after = decodeCursor(filter.cursor, KindPosition);
  if (filter.cursor !== '' && after === null) return badCursor;
  const question = questionOf(clusters, filter);
  const { counts, exempt, all } = count(question);
  const [afterRank, afterKey] = after ?? [0, ''];
  const page: Listed[] = [];
  for (const [rank, kind] of exemptionKinds.entries()) {
    if (page.length > filter.limit) break;
    if (!question.wants(kind) || !counts.has(kind) || rank < afterRank) continue;
    for (const listed of ofKind(question, kind, rank === afterRank ? afterKey : '')) {
      page.push(listed);
      if (page.length > filter.limit) break;
    }
  }
  const last = page[filter.limit - 1];
  return {
    asOf: wireTime(context.now),
    rows: page.slice(0, filter.limit).map(wireRow),
    total: exemptionKinds.reduce((sum, kind) => sum + (question.wants(kind) ? (counts.get(kind) ?? 0) : 0), 0),
    counts: exemptionKinds.flatMap((kind) => {
      const found = counts.get(kind) ?? 0;
      return found === 0 ? [] : { kind, sort: exemptionSort(kind), count: found };
    }),
    objects: { exempt, all },
    nextCursor:
      page.length > filter.limit && last ? encodeCursor([exemptionKinds.indexOf(last.exemption.kind), last.key]) : null,
    partial: [...partial],
  };
}

const columns: CsvColumns<Listed> = {
  cluster: ({ object }) => object.ref.cluster,
  group: ({ object }) => object.ref.group,
  kind: ({ object }) => object.ref.kind,
  namespace: ({ object }) => object.ref.namespace,
  name: ({ object }) => object.ref.name,
  verdict: ({ object }) => object.verdict,
  sort: ({ exemption }) => exemptionSortTitle[exemptionSort(exemption.kind)],
  exemption: ({ exemption }) => exemptionTitle[exemption.kind],
  field: ({ exemption }) => exemption.field,
  meaning: ({ exemption }) => exemption.meaning,
  covers: ({ exemption }) => exemption.reach,
  by: ({ exemption }) => exemption.by,
  at: ({ exemption }) => wireTimeOrNull(exemption.at),
};

/** All exemptions that a filter keeps as lines of CSV, some at a time. */
export function* exemptionCsv(clusters: readonly KnownCluster[], filter: ExemptionFilter): Generator<string> {
  const question = questionOf(clusters, filter);
  yield csvHeader(columns);
  for (const kind of exemptionKinds.filter(question.wants))
    for (const cluster of question.clusters) yield* csvPieces(columns, onCluster(question, cluster, kind, ''));
}

function questionOf(all: readonly KnownCluster[], filter: ExemptionFilter): Question {
  const names = new Set(wordsOf(filter.cluster));
  const wanted = new Set<string>(wordsOf(filter.exemption));
  const clusters = names.size === 0 ? all : all.filter((cluster) => names.has(cluster.name));
  return {
    clusters: clusters.toSorted((a, b) => compareText(a.name, b.name)),
    wants: (kind) => wanted.size === 0 || wanted.has(kind),
    wantsAll: wanted.size === 0,
    keepsObject: objectTest(filter),
    keepsExemption: exemptionTest(filter),
  };
}

function objectTest({ kind, namespace }: ExemptionFilter): Question['keepsObject'] {
  if (kind === '' && namespace === '') return null;
  const wanted = namespace === '-' ? '' : namespace;
  return ({ ref }) => (kind === '' || ref.kind === kind) && (namespace === '' || ref.namespace === wanted);
}

function exemptionTest({ by, q }: ExemptionFilter): Question['keepsExemption'] {
  const text = q.trim().toLowerCase();
  if (by === '' && text === '') return null;
  const manager = by === '-' ? null : by;
  const has = wordTest(text);
  return (exemption, { ref }) => {
    if (by !== '' && exemption.by !== manager) return false;
    if (text === '' || ref.name.includes(text) || ref.namespace.includes(text)) return true;
    const { kind, field, meaning, by: setBy } = exemption;
    if (has(ref.cluster) || has(ref.kind) || has(exemptionTitle[kind])) return true;
    return has(field) || has(meaning) || (setBy !== null && has(setBy));
  };
}

/** Without a filter the clusters have counted already: nothing is looked through. */
function count(question: Question) {
  const { clusters, keepsObject, keepsExemption } = question;
  const counts = new Map<ExemptionKind, number>();
  const add = (kind: ExemptionKind, n: number): void => void counts.set(kind, (counts.get(kind) ?? 0) + n);
  let [exempt, all] = [0, 0];
  const counted = keepsObject === null && keepsExemption === null;
  for (const cluster of clusters) {
    all += cluster.objects.length;
    if (counted) for (const [kind, n] of cluster.exemptions) add(kind, n);
    if (counted && question.wantsAll) {
      exempt += cluster.exempt.length;
      continue;
    }
    for (const object of cluster.exempt) {
      if (keepsObject !== null && !keepsObject(object)) continue;
      let any = false;
      for (const exemption of object.exemptions) {
        if (keepsExemption !== null && !keepsExemption(exemption, object)) continue;
        any ||= question.wants(exemption.kind);
        if (!counted) add(exemption.kind, 1);
      }
      if (any) exempt += 1;
    }
  }
  return { counts, exempt, all };
}

/** Those of one kind after a key, cluster by cluster, each read only when it is come to. */
function* ofKind(question: Question, kind: ExemptionKind, from: string): Generator<Listed> {
  const [reached = ''] = from.split('/', 1);
  for (const cluster of question.clusters)
    if (cluster.name >= reached) yield* onCluster(question, cluster, kind, cluster.name === reached ? from : '');
}

function onCluster(question: Question, cluster: KnownCluster, kind: ExemptionKind, from: string): Listed[] {
  const { keepsObject, keepsExemption } = question;
  if ((cluster.exemptions.get(kind) ?? 0) === 0) return [];
  const found: Listed[] = [];
  for (const object of cluster.exempt) {
    if (keepsObject !== null && !keepsObject(object)) continue;
    for (const exemption of object.exemptions) {
      if (exemption.kind !== kind || (keepsExemption !== null && !keepsExemption(exemption, object))) continue;
      const key = `${refKey(object.ref)} ${exemption.field}`;
      if (key > from) found.push({ object, exemption, key });
    }
  }
  return found.toSorted((a, b) => compareText(a.key, b.key));
}

function wireRow({ object: { ref, verdict }, exemption }: Listed): WireExemptionRow {
  const { cluster, group, kind, namespace, name } = ref;
  return {
    object: { cluster, group, kind, namespace, name, verdict },
    exemption: wireExemption(exemption),
    links: { self: objectPath(ref) },
  };
}
