import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bedItself } from './book/bed-itself.ts';
import { births } from './book/births.ts';
import { changes } from './book/changes.ts';
import { commands } from './book/commands.ts';
import { outages } from './book/outages.ts';
import { type Outcome, play } from './book/play.ts';
import { restarts } from './book/restarts.ts';
import type { Situation, Stage } from './book/situation.ts';
import { type BuiltProgram, buildPrograms, type RefusedProgram } from './build.ts';
import { deployFleet } from './fixtures/fleet.ts';
import { type Bed, essential, startBed } from './harness/bed.ts';
import { type Onlooker, startOnlooker } from './harness/onlooker.ts';
import { startPlumbline } from './harness/plumbline.ts';
import { type Witness, startWitness } from './harness/witness.ts';
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

describe('the book of situations', () => {
  let bed: Bed | null = null;
  let onlooker: Onlooker | null = null;
  let witness: Witness | null = null;
  let stage: Stage | null = null;

  beforeAll(async () => {
    if (!has(essential)) return;
    bed = await startBed(built, (line) => report.say(line));
    const first = await deployFleet(bed, {
      helm: has(['helm-controller']),
      nop: has(['provider-nop']),
    });
    report.say(`the fleet is deployed at ${first.control.slice(0, 7)}`);
    witness = startWitness(bed.alpha, [
      '/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations',
      '/apis/source.toolkit.fluxcd.io/v1/gitrepositories',
      ...(has(['helm-controller']) ? ['/apis/helm.toolkit.fluxcd.io/v2/helmreleases'] : []),
      ...(has(['provider-nop']) ? ['/apis/nop.crossplane.io/v1alpha1/nopresources'] : []),
    ]);
    const plumbline = await startPlumbline(bed);
    onlooker = startOnlooker(plumbline);
    report.say(`Plumbline answers at ${plumbline.origin}`);
    stage = { bed, plumbline, onlooker, witness, first, notes: new Map() };
  });

  afterAll(async () => {
    witness?.stop();
    await onlooker?.stop();
    await stage?.plumbline.process.stop();
    await bed?.stop();
    await report.write();
  });

  for (const situation of [...bedItself, ...births, ...changes, ...commands, ...restarts, ...outages]) {
    const needs = [...essential, ...(situation.needs ?? [])];
    if (!has(needs))
      report.skipped(
        situation,
        refused.filter((program) => needs.includes(program.program)),
      );
    it.skipIf(!has(needs))(`${situation.name}: ${situation.expected}`, async () => {
      const outcome = await playOn(stage, situation);
      report.played(situation, outcome);
      expect(outcome.wrong).toEqual([]);
    });
  }
});

async function playOn(stage: Stage | null, situation: Situation): Promise<Outcome> {
  if (stage === null) return { wrong: ['the bed does not stand'], took: 0 };
  const began = Date.now();
  return play(situation, stage).catch((failure: unknown) => ({
    wrong: [failure instanceof Error ? failure.message : String(failure)],
    took: Date.now() - began,
  }));
}
