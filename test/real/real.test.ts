import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { book, selected } from './book/book.ts';
import { type Outcome, playActs } from './book/play.ts';
import type { Beside, Situation } from './book/situation.ts';
import { type BuiltProgram, buildPrograms, type RefusedProgram } from './build.ts';
import { deployFleet } from './fixtures/fleet.ts';
import { type Bed, essential, startBed } from './harness/bed.ts';
import { type Onlooker, startOnlooker } from './harness/onlooker.ts';
import { type Plumbline, startPlumbline } from './harness/plumbline.ts';
import { type Witness, startWitness } from './harness/witness.ts';
import { mustCome } from './harness/until.ts';
import type { ProgramName } from './programs.ts';
import { startReport } from './report.ts';

const report = startReport();
const results = await buildPrograms((line) => report.say(line));
const built = new Map<ProgramName, BuiltProgram>();
const refused: RefusedProgram[] = [];
for (const result of results.values()) {
  if (result.type === 'built') built.set(result.program, result);
  else refused.push(result);
}
const has = (names: readonly ProgramName[]): boolean => names.every((name) => built.has(name));
const needsOf = ({ needs }: Situation): readonly ProgramName[] => [...essential, ...(needs ?? [])];
const mayPlay = (situation: Situation): boolean => has(needsOf(situation));
const acts = selected(book, process.env['PLUMBLINE_REAL_ONLY']);

/** Waits for the first judgement: what a chapter does before is found, not seen. */
async function judgesFirst(started: Plumbline): Promise<void> {
  const isLive = async (name: string): Promise<boolean> => (await started.cluster(name))?.state === 'live';
  const areLive = async (): Promise<true | null> => ((await isLive('alpha')) && (await isLive('beta'))) || null;
  await mustCome('the first judgement', areLive, 120_000);
}

describe('the book of situations', () => {
  let bed: Bed | null = null;
  let onlooker: Onlooker | null = null;
  let witness: Witness | null = null;
  let plumbline: Plumbline | null = null;
  const others = new Map<string, Beside>();
  let outcomes: ReadonlyMap<Situation, Promise<Outcome>> = new Map();

  beforeAll(async () => {
    if (!has(essential)) return;
    bed = await startBed(built, (line) => report.say(line));
    const notes = await deployFleet(bed, { helm: has(['helm-controller']), nop: has(['provider-nop']) });
    report.say('the fleet is deployed');
    witness = startWitness(
      [bed.alpha, bed.beta],
      [
        '/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations',
        '/apis/source.toolkit.fluxcd.io/v1/gitrepositories',
        '/apis/source.toolkit.fluxcd.io/v1/helmrepositories',
        '/apis/helm.toolkit.fluxcd.io/v2/helmreleases',
        '/apis/nop.crossplane.io/v1alpha1/nopresources',
        '/apis/argoproj.io/v1alpha1/applications',
        '/apis/coordination.k8s.io/v1/leases',
      ],
    );
    plumbline = await startPlumbline(bed);
    onlooker = startOnlooker(plumbline);
    await judgesFirst(plumbline);
    report.say(`Plumbline answers at ${plumbline.origin}`);
    outcomes = playActs(acts, { bed, plumbline, onlooker, witness, notes, others }, mayPlay);
    // Chapters play beside each other: each situation is told when it is through, and stands in the table in its place.
    for (const [situation, outcome] of outcomes) void outcome.then(({ took }) => report.through(situation, took));
  });

  afterAll(async () => {
    witness?.stop();
    await onlooker?.stop();
    for (const other of others.values()) await other.onlooker.stop();
    await plumbline?.process.stop();
    await bed?.stop();
    await report.write();
  });

  for (const act of acts) {
    for (const chapter of act.chapters) {
      describe(`${act.title}: ${chapter.title}`, () => {
        for (const situation of chapter.situations) {
          if (!mayPlay(situation))
            report.skipped(
              situation,
              refused.filter(({ program }) => needsOf(situation).includes(program)),
            );
          it.skipIf(!mayPlay(situation))(`${chapter.name}: ${situation.name}`, async () => {
            const outcome = await outcomes.get(situation);
            if (outcome === undefined) throw new Error('the bed does not stand');
            report.played(situation, outcome);
            expect(outcome.lines.filter(({ got }) => got !== null)).toEqual([]);
          });
        }
      });
    }
  }
});
