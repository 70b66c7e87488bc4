import { guarantees, isAway } from './guarantee.ts';
import { countOfCells, verdictCounts, type Cells, type Tally } from './tally.ts';
import { verdicts, type Verdict } from '../verdict/verdict.ts';

/** Facts that the sentence of a fleet, or of the part of it that a filter keeps, is made from. */
export interface SentenceFacts {
  readonly tally: Tally;
  /** Objects whose drift is not measured. */
  readonly notMeasurable: number;
  /** The sentence is of what a filter keeps. */
  readonly filtered: boolean;
  /** `blind`: seen, but for kinds that cannot be read there; `silent`, `away`, `planned`: with objects in the cells of that name. */
  readonly clusters: {
    readonly total: number;
    readonly unseen: number;
    readonly blind: number;
    readonly syncing: number;
    readonly silent: number;
    readonly away: number;
    readonly planned: number;
  };
}

/** A piece of a sentence. `counts`: the objects that its number stands for; null where it holds no number of objects. */
export interface Said {
  readonly text: string;
  readonly counts: Cells | 'not-measured' | null;
}

/** The summary of a page: state of the plumb line, and the sentence in two parts (lead is emphasised). */
export interface GuaranteeSentence {
  readonly truth: 'holds' | 'broken' | 'unknown' | 'empty';
  readonly caption: string;
  readonly lead: readonly Said[];
  readonly body: readonly Said[];
}

export const caption = 'What is in git is what is in your infrastructure, or alarms are sounding.';

const awayVerdicts = verdicts.filter((verdict) => isAway(verdict) && verdict !== 'stale');
const unproven: readonly Verdict[] = ['stale', 'unobserved', 'unconfirmed'];
const counted = guarantees.filter((guarantee) => guarantee !== 'declared');

/** The cells that sentences speak of. Together, those of `away` and `notConfirmed` are all whose guarantee is unknown. */
export const cellsOf = {
  /** Everything but what is only declared. */
  all: { verdicts, guarantees: counted },
  /** Away or stale past the deadline, and nobody is being called. */
  silent: { verdicts, guarantees: ['broken'] },
  /** Known to be away from git; whether anybody was called is not known. */
  away: { verdicts: awayVerdicts, guarantees: ['unknown'] },
  /** Neither known to be as in git nor known to be away. */
  notConfirmed: { verdicts: unproven, guarantees: ['unknown'] },
  /** Away or stale, with an alarm sounding or not yet due. */
  alarmed: { verdicts: verdicts.filter(isAway), guarantees: ['holds'] },
  planned: { verdicts, guarantees: ['planned'] },
  /** Whoever is away or stale, but where work is planned: it asks whether anybody was called. */
  asking: { verdicts: verdicts.filter(isAway), guarantees: ['holds', 'broken', 'unknown'] },
  /** Away, stale or not seen, whatever is known of alarms. */
  troubled: {
    verdicts: verdicts.filter((verdict) => isAway(verdict) || verdict === 'unobserved'),
    guarantees: ['holds', 'broken', 'unknown', 'planned'],
  },
} as const satisfies Readonly<Record<string, Cells>>;

/** The objects of each verdict, worst first, but for those that are only declared: these are never observed, which is no news of them. */
export function observedCounts(tally: Tally): ReadonlyMap<Verdict, number> {
  return verdictCounts(tally, counted);
}

/** A count with thousands apart. */
function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function plural(n: number, noun: string): string {
  return `${count(n)} ${n === 1 ? noun : `${noun}s`}`;
}

function plain(text: string): Said {
  return { text, counts: null };
}

/** Every verdict in the cells with its count, worst first: "1 diverged, 4 waiting". */
function named(tally: Tally, cells: Cells): readonly Said[] {
  const found = cells.verdicts.flatMap((verdict): readonly Said[] => {
    const one = { verdicts: [verdict], guarantees: cells.guarantees };
    const n = countOfCells(tally, one);
    return n === 0 ? [] : [{ text: `${count(n)} ${verdict}`, counts: one }];
  });
  return found.flatMap((said, at) => (at === 0 ? [said] : [plain(', '), said]));
}

function allObjects(tally: Tally): Said {
  return { text: plural(countOfCells(tally, cellsOf.all), 'object'), counts: cellsOf.all };
}

/** One statement: how it opens, and what it counts. */
export interface Statement {
  readonly opening: string;
  readonly counts: readonly Said[];
}

function ofAll(tally: Tally): readonly Said[] {
  return [plain(' of '), allObjects(tally), plain('.')];
}

/** "Not confirmed: 14 stale, 6 unconfirmed of 1,364 objects."; the verdict that says nothing else is left out. */
function notConfirmed(tally: Tally): Statement {
  const said = named(tally, cellsOf.notConfirmed);
  const counts =
    said.length === 1 ? said.map((one) => ({ ...one, text: one.text.replace(/ unconfirmed$/, '') })) : said;
  return { opening: 'Not confirmed:', counts: [...counts, ...ofAll(tally)] };
}

/**
 * Statements of a tally on what is not in order, the worst first; [] for none. `where` is added to an opening: " on 2 of 14 clusters".
 * Rule: silent before away, away before not confirmed; each number is one verdict and stands in one statement only.
 */
export function statementsOf(
  tally: Tally,
  where: { readonly silent: string; readonly away: string },
): readonly Statement[] {
  const has = (cells: Cells): boolean => countOfCells(tally, cells) > 0;
  const found: Statement[] = [];
  if (has(cellsOf.silent)) {
    const counts = [plain('nobody is being called for '), ...named(tally, cellsOf.silent), plain('.')];
    found.push({ opening: `Not so${where.silent}:`, counts });
  }
  if (has(cellsOf.away)) {
    const whole = has(cellsOf.notConfirmed) ? [plain('.')] : ofAll(tally);
    found.push({ opening: `Not as in git${where.away}:`, counts: [...named(tally, cellsOf.away), ...whole] });
  }
  if (has(cellsOf.notConfirmed)) found.push(notConfirmed(tally));
  return found;
}

/** Words on what is away with somebody called or not due: "Alarms are sounding, or not yet due, for 2 diverged."; [] where nothing is. */
export function alarmedText(tally: Tally): readonly Said[] {
  const said = named(tally, cellsOf.alarmed);
  return said.length === 0 ? [] : [plain('Alarms are sounding, or not yet due, for '), ...said, plain('.')];
}

/** End of a fleet's sentence where a part of it is under planned work, or nothing is out of order. */
function restOf(facts: SentenceFacts): readonly Said[] {
  const { clusters, tally } = facts;
  const planned = countOfCells(tally, cellsOf.planned);
  if (planned > 0) {
    const where = `${count(clusters.planned)} of ${plural(clusters.total, 'cluster')}`;
    const objects = { text: plural(planned, 'object'), counts: cellsOf.planned };
    const be = planned === 1 ? 'is' : 'are';
    return [
      plain(`So it is but for planned work on ${where}: `),
      objects,
      plain(` there ${be} not known to be as in git.`),
    ];
  }
  const all = clusters.total === 1 ? 'on the one cluster' : `on all ${count(clusters.total)} clusters`;
  const unmeasured: Said = { text: `${count(facts.notMeasurable)} not measurable`, counts: 'not-measured' };
  const measured = facts.notMeasurable > 0 ? [plain(', '), unmeasured] : [];
  return [plain(`So it is, ${all}: `), allObjects(tally), ...measured, plain('.')];
}

function joined(parts: readonly (readonly Said[])[]): readonly Said[] {
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : [plain(' '), ...part]));
}

/** Statement of what is not seen at all: it comes before all that is. */
function unseenText({ clusters }: SentenceFacts): readonly string[] {
  const of = `of ${plural(clusters.total, 'cluster')}`;
  const found: string[] = [];
  if (clusters.unseen > 0)
    found.push(`${count(clusters.unseen)} ${of} ${clusters.unseen === 1 ? 'is' : 'are'} not seen.`);
  if (clusters.blind > 0) found.push(`On ${count(clusters.blind)} ${of} not every kind can be read.`);
  return found;
}

/**
 * The sentence of a fleet, never better than what is known: first what is not seen, then what is silent, away, not confirmed.
 * Objects that are only declared are in none of it. Nothing configured is unknown, not true.
 */
export function guaranteeSentence(facts: SentenceFacts): GuaranteeSentence {
  const { clusters, tally } = facts;
  const known = countOfCells(tally, cellsOf.all);
  const say = (truth: GuaranteeSentence['truth'], lead: string, body: readonly Said[]): GuaranteeSentence => ({
    truth,
    caption,
    lead: lead === '' ? [] : [plain(lead)],
    body,
  });
  if (clusters.total === 0) {
    const nothing = facts.filtered ? 'Nothing matches this filter.' : 'That cannot be said: no cluster is configured.';
    return say('empty', '', [plain(nothing)]);
  }
  const of = plural(clusters.total, 'cluster');
  if (clusters.syncing > 0 && known === 0) {
    const be = clusters.syncing === 1 ? 'is' : 'are';
    const reading = `That cannot be said yet: ${count(clusters.syncing)} of ${of} ${be} being read for the first time.`;
    return say('unknown', '', [plain(reading)]);
  }
  const unseen = unseenText(facts);
  const [first, ...more] = statementsOf(tally, {
    silent: ` on ${count(clusters.silent)} of ${of}`,
    away: ` on ${count(clusters.away)} of ${of}`,
  });
  const lead = [...unseen, ...(first ? [first.opening] : [])].join(' ');
  const others = more.map(({ opening, counts }) => [plain(`${opening} `), ...counts]);
  const truth = countOfCells(tally, cellsOf.silent) > 0 ? 'broken' : 'unknown';
  if (first) return say(truth, lead, joined([first.counts, ...others, alarmedText(tally)]));
  if (unseen.length > 0) return say('unknown', lead, alarmedText(tally));
  if (known === 0) return say('unknown', 'That cannot be said:', [plain(`no object is known on ${of}.`)]);
  const planned = countOfCells(tally, cellsOf.planned) > 0;
  return say(planned ? 'unknown' : 'holds', '', joined([restOf(facts), alarmedText(tally)]));
}

/** The words of pieces, one after the other. */
export function saidText(parts: readonly Said[]): string {
  return parts.map(({ text }) => text).join('');
}
