import { second } from '#lib/domain/time/length.ts';
import { mailDrift, mailMended, optIn, optOut } from './faults.ts';
import * as scenes from './scenes.ts';
import type { Stage } from './stage.ts';

/** One thing that happens. `at` in ms since the beginning of its act. */
export interface Beat {
  readonly at: number;
  readonly title: string;
  play(stage: Stage): void;
}

/** Length of one act, ms. */
export const actLength = 420 * second;

function beat(at: number, title: string, play: (stage: Stage) => void): Beat {
  return { at: at * second, title, play };
}

/** Beats that bring the faults of an act about where they were not there from the start. */
const faults: readonly Beat[] = [
  beat(2, 'a bad commit for checkout on eu-west-3', scenes.breakCheckout),
  beat(8, 'somebody edits the Deployment of mail on stg-us', (stage) => mailDrift(stage, 'stg-us', stage.now())),
  beat(14, 'search rolls out slowly on two clusters', scenes.slowSearch),
  beat(20, 'monitoring on ap-south-1 fails its health check', scenes.breakMonitoring),
  beat(26, 'somebody suspends policy on stg-eu', (stage) => scenes.suspend(stage, 'stg-eu', 'policy', 'kubectl-edit')),
  beat(29, 'somebody opts external-dns out on us-west-2', (stage) => optOut(stage, stage.now())),
  beat(32, 'source- and kustomize-controller on stg-edge die', scenes.killStgEdge),
  beat(38, 'the cloud denies two updates', scenes.denyAccess),
];

/** Beats of every act while the faults last, and those that mend them. */
const common: readonly Beat[] = [
  beat(12, 'a hand edit on us-west-2 is undone by the controller', scenes.correctDrift),
  beat(16, 'ap-northeast-1 is lost', scenes.loseApNortheast),
  beat(44, 'catalogue is promoted to production', scenes.promoteCatalogue),
  beat(60, 'a bucket is changed outside and put right', scenes.changeBucket),
  beat(75, 'catalogue on stg-eu is done with its first reconciliation', (stage) =>
    scenes.finishFirst(stage, 'stg-eu', 'catalogue'),
  ),
  beat(84, 'kustomize-controller on stg-us is upgraded', scenes.upgradeStgUs),
  beat(95, 'a bad commit for accounts reaches staging', scenes.breakAccounts),
  beat(115, 'somebody suspends external-dns on eu-central-1a', (stage) =>
    scenes.suspend(stage, 'eu-central-1a', 'external-dns', 'flux'),
  ),
  beat(130, 'web on stg-ap is done with its first reconciliation', (stage) =>
    scenes.finishFirst(stage, 'stg-ap', 'web'),
  ),
  beat(142, 'the providers on us-west-2 lose their credentials', (stage) =>
    scenes.setCredentials(stage, 'us-west-2', false),
  ),
  beat(155, 'search is up on us-east-1', (stage) => scenes.mend(stage, 'us-east-1', 'search')),
  beat(185, 'the fix for checkout on eu-west-3', scenes.fixCheckout),
  beat(200, 'search is up on us-east-2', (stage) => scenes.mend(stage, 'us-east-2', 'search')),
  beat(220, 'the fix for accounts', scenes.fixAccounts),
  beat(235, 'the cloud allows the updates', scenes.grantAccess),
  beat(242, 'the providers on us-west-2 have credentials again', (stage) =>
    scenes.setCredentials(stage, 'us-west-2', true),
  ),
  beat(250, 'ap-northeast-1 is back', scenes.regainApNortheast),
  beat(270, 'the controllers on stg-edge are back', scenes.reviveStgEdge),
  beat(295, 'mail on stg-us is put right', (stage) => mailMended(stage, 'stg-us')),
  beat(305, 'external-dns on eu-central-1a is resumed', (stage) =>
    scenes.resume(stage, 'eu-central-1a', 'external-dns', 'flux'),
  ),
  beat(315, 'the opt-out on us-west-2 is taken back', optIn),
  beat(325, 'monitoring on ap-south-1 comes up', (stage) => scenes.mend(stage, 'ap-south-1', 'monitoring')),
  beat(345, 'policy on stg-eu is resumed', (stage) => scenes.resume(stage, 'stg-eu', 'policy', 'kubectl-edit')),
];

/** The beats of act `number` (the first is 0), in their order. */
export function beatsOf(number: number): readonly Beat[] {
  const beats = number === 0 ? common : [...faults, ...common];
  return [...beats].sort((a, b) => a.at - b.at);
}
