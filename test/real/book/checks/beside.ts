import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { Subject } from '../../harness/plumbline.ts';
import type { Beside, Check, Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';

function besideOf(stage: Stage, name: string): Beside {
  const found = stage.others.get(name);
  if (found === undefined) throw new Error(`no Plumbline ${name} runs`);
  return found;
}

/** The same checks of another Plumbline. */
export function seenBy(name: string, ...checks: readonly Check[]): readonly Check[] {
  return checks.map(({ expects, find }) => ({
    expects: `${name}: ${expects}`,
    async find(stage, since) {
      const { fits, got } = await find({ ...stage, ...besideOf(stage, name) }, since);
      return { fits, got: `${name}: ${got}` };
    },
  }));
}

/** Verdicts that another Plumbline must not have said of an object since the act, not for a moment. */
export function neverSeenBy(name: string, subject: Subject, verdicts: readonly Verdict[]): Check {
  const title = `${name}: ${titleOf(subject)}: never ${verdicts.join(', ')}`;
  return {
    expects: `${title}, not for a moment`,
    find(stage, since) {
      const { onlooker } = besideOf(stage, name);
      const seen = onlooker.since(subject, since).filter(({ verdict }) => verdicts.includes(verdict));
      const words = seen.map(({ at, verdict, reason }) => `${verdict} (${reason}) ${Math.max(at - since, 0)} ms after`);
      return Promise.resolve({
        fits: seen.length === 0,
        got: `${title}: ${words.join(', ') || 'nothing of the kind'}`,
      });
    },
  };
}

/** No object is said to be one of these that the Plumbline with the right clock does not say so of. */
export function noMoreThanMain(name: string, verdicts: readonly Verdict[]): Check {
  const title = `${name}: every object that it calls ${verdicts.join(' or ')} is so`;
  return {
    expects: title,
    async find(stage) {
      const rightly = new Set((await stage.plumbline.objects()).map(said));
      const claimed = (await besideOf(stage, name).plumbline.objects()).filter(({ verdict }) =>
        verdicts.includes(verdict),
      );
      const wrong = claimed.map(said).filter((one) => !rightly.has(one));
      return { fits: claimed.length > 0 && wrong.length === 0, got: `${title}: not ${wrong.join(', ') || 'one'}` };
    },
  };
}

function said({ cluster, kind, namespace, name, verdict }: Subject & { readonly verdict: Verdict }): string {
  return `${cluster} ${kind} ${namespace}/${name} ${verdict}`;
}
