import type { z } from 'zod';
import { isTrueThen } from './judge-moment.ts';
import type { SaidArrivals, SaidChanges, SaidTransitions } from './said.ts';
import { commitOf, latency, nameOf, tell, wholeSecond } from './judged.ts';
import type { ScriptTruth } from './script-truth.ts';
import type { TriedLog } from './tried-log.ts';

/** Contradictions to the script in the changes of verdict that are listed: the verdict, when it began, and the commit that ran then. */
export function wrongTransitions(
  truth: ScriptTruth,
  tried: TriedLog,
  { transitions }: z.infer<typeof SaidTransitions>,
): readonly string[] {
  return transitions.flatMap(({ ref, at, noticedAt, to, commit }) => {
    if (noticedAt < truth.observedFrom || ref.kind.endsWith('ProviderConfig')) return [];
    const found: string[] = [];
    truth.judged.times += 2;
    if (at > noticedAt) found.push(`noticed ${tell(noticedAt)}, before it was`);
    if (to !== null && !isTrueThen(truth, ref, to, noticedAt)) found.push('it was not so then');
    const applied = tried.applied(nameOf(ref), 0, noticedAt);
    const ran = applied?.union(tried.tried(nameOf(ref), 0, noticedAt)) ?? new Set();
    // What comes from elsewhere names no commit of the control repository itself.
    if (commit !== null && [...ran].some((revision) => commitOf(revision) !== null)) {
      truth.judged.commits += 1;
      if (![...ran].some((revision) => commitOf(revision) === commit)) found.push(`it never ran ${commit}`);
    }
    return found.map((words) => `${nameOf(ref)} turned ${to} at ${tell(at)}: ${words}`);
  });
}

/** Contradictions to the script in the changes listed of a period: which commits a source offered, who was suspended, and when. */
export function wrongChanges(
  truth: ScriptTruth,
  tried: TriedLog,
  { changes, ...asked }: z.infer<typeof SaidChanges>,
  period: { readonly from: number; readonly to: number },
): readonly string[] {
  const found: string[] = [];
  if (asked.from !== period.from || asked.to !== period.to)
    found.push(
      `changes from ${tell(asked.from)} to ${tell(asked.to)}, and asked was for ${tell(period.from)} to ${tell(period.to)}`,
    );
  for (const { cluster, ref, type, at, notBefore, revision } of changes) {
    const name = ref === null ? cluster : nameOf(ref);
    const between = `${type} of ${name} between ${tell(notBefore)} and ${tell(at)}`;
    truth.judged.times += 2;
    if (notBefore > at) found.push(`${between}: backwards`);
    if (type === 'revision' && ref?.name === 'control-repo') {
      truth.judged.commits += 2;
      const [from, to] = [revision?.from?.commit ?? null, revision?.to?.commit ?? null];
      const came = tried.offers(cluster).find(({ value }) => commitOf(value) === to);
      if (to !== null && came === undefined) found.push(`${between}: ${to} was never offered there`);
      if (came && (came.by < notBefore - wholeSecond || came.after > at + wholeSecond))
        found.push(`${between}: ${to} came between ${tell(came.after)} and ${tell(came.by)}`);
      if (from !== null && came && !((truth.placeOf(from) ?? Infinity) < (truth.placeOf(to ?? '') ?? 0)))
        found.push(`${between}: from ${from}, which is not older`);
    }
    if (ref !== null && (type === 'suspended' || type === 'resumed')) {
      const then = truth.suspendedWithin(ref, notBefore - wholeSecond, at + latency);
      if (then !== type) found.push(`${between}, and it was ${then ?? 'neither'}`);
    }
  }
  for (const cluster of truth.clusters)
    for (const { value, by } of tried.offers(cluster)) {
      const seen = !truth.mayBeUnseen(cluster, by) && truth.lostSince(cluster, by) === null;
      if (by < period.from || by > period.to - latency || !seen) continue;
      truth.judged.numbers += 1;
      const listed = changes.filter(
        (change) => change.cluster === cluster && change.ref?.name === 'control-repo' && change.type === 'revision',
      );
      if (listed.filter(({ revision }) => revision?.to?.commit === commitOf(value)).length !== 1)
        found.push(`${value} came to ${cluster} by ${tell(by)}, and that is not told once`);
    }
  return found;
}

/** Contradictions to the script in the list of arrivals: when a commit was offered on a cluster, and when how many had it. */
export function wrongArrivals(
  truth: ScriptTruth,
  tried: TriedLog,
  names: readonly string[],
  { arrivals }: z.infer<typeof SaidArrivals>,
): readonly string[] {
  return arrivals.flatMap(({ cluster, commit, offeredAt, firstAt, lastAt, objects, tookMs }) => {
    const found: string[] = [];
    truth.judged.commits += 1;
    truth.judged.times += 3;
    truth.judged.numbers += 2;
    if (truth.placeOf(commit) === null) return [`an arrival of ${commit} on ${cluster}, which there is not`];
    const fetched = tried.offers(cluster).find(({ value }) => commitOf(value) === commit);
    // Argo CD reads git itself, whenever it likes.
    const offer = fetched && { ...fetched, after: truth.argoReads(cluster, commit) ?? fetched.after };
    if (offeredAt !== null && offer && (offeredAt < offer.after - wholeSecond || offeredAt > offer.by + latency))
      found.push(`offered ${tell(offeredAt)}, and it was between ${tell(offer.after)} and ${tell(offer.by)}`);
    const came = names
      .filter((name) => name.startsWith(`${cluster}/`))
      .flatMap((name) => tried.arrivals(name).map((arrival) => ({ ...arrival, name })))
      .filter(({ value }) => commitOf(value) === commit);
    const first = truth.argoReads(cluster, commit) ?? Math.min(...came.map(({ after }) => after));
    if (offer && firstAt < first - wholeSecond)
      found.push(`first there ${tell(firstAt)}, and none was before ${tell(first)}`);
    const by = came
      .filter(({ after }) => after <= lastAt + wholeSecond)
      .reduce((sum, { name }) => sum + 1 + truth.releasesOf(name), truth.otherAppliers(cluster));
    if (offer && objects > by) found.push(`${objects} there by ${tell(lastAt)}, and ${by} were`);
    if (firstAt > lastAt) found.push('first there after the last');
    if (offeredAt !== null && tookMs !== lastAt - offeredAt) found.push(`took ${tookMs} ms`);
    return found.map((words) => `the arrival of ${commit} on ${cluster}: ${words}`);
  });
}
