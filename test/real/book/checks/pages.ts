import {
  fleetPair,
  historyPair,
  absencesPair,
  missingInPage,
  objectPair,
  objectsPair,
  type PageAndApi,
} from '#test/page-and-api.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { type Check, noteOf, type Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';

const label = { label: 'environment=production' };

/** The fleet, the lists and the page of an object say what the API says at the same moment, filtered and not. */
export function pagesAgree(subject: Subject): Check {
  const { cluster, kind } = subject;
  return agree(`fleet, objects, absences, and ${titleOf(subject)}, whole and filtered`, async (stage) => {
    const object = await stage.plumbline.object(subject);
    return [
      fleetPair(),
      fleetPair(label),
      fleetPair({ cluster }),
      objectsPair({ kind }),
      objectsPair({ kind, ...label }),
      absencesPair({}),
      absencesPair({ ...subject }),
      ...(object === null ? [] : [objectPair(object)]),
    ];
  });
}

/** The record of a period that is over, between two noted times, is told alike by its pages and the API. */
export function pagesAgreeOver(subject: Subject, from: string, to: string): Check {
  return agree(`absences and history from "${from}" to "${to}"`, async (stage) => {
    const moment = (note: string): string => new Date(Number(noteOf(stage, note))).toISOString();
    const period = { from: moment(from), to: moment(to) };
    const { cluster } = subject;
    return [
      absencesPair({ ...period }),
      absencesPair({ ...period, cluster }),
      absencesPair({ ...period, ...subject }),
      historyPair({ ...period, ...subject }),
      historyPair({ ...period, cluster }),
    ];
  });
}

function agree(what: string, pairs: (stage: Stage) => Promise<readonly PageAndApi[]>): Check {
  const title = `pages and API: ${what}`;
  // What differed once was not the same at the same moment, even where it is by the next check.
  const differed = new Set<string>();
  return {
    expects: `${title}: the same verdicts, counts and times`,
    async find(stage) {
      const moved: string[] = [];
      for (const pair of await pairs(stage)) {
        const missing = await missingInPage(stage.plumbline.origin, pair);
        if (missing === null) moved.push(`${pair.api} never stands still`);
        else for (const word of missing) differed.add(`${pair.page} does not say: ${word}`);
      }
      return { fits: differed.size + moved.length === 0, got: `${title}: ${[...differed, ...moved].join('; ')}` };
    },
  };
}
