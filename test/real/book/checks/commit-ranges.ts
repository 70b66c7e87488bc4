import type { WireCommitRange } from '#lib/api/object.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { type Check, noteOf, type Stage } from '../situation.ts';
import { titleOf } from '../subjects.ts';

/** The commits of a repository by their notes, oldest first: who is guilty is known to the book alone. */
export type Line = readonly string[];

/** An object broke in a range that holds the culprit, and neither its sentence nor its cause line names another commit for it. */
export function accuses(subject: Subject, line: Line, culprit: string): Check {
  const title = `${titleOf(subject)}: broke`;
  return {
    expects: `${title} in a range that holds "${culprit}"; no other commit is named`,
    async find(stage) {
      const object = await stage.plumbline.object(subject);
      const wrong = wrongWith(object?.range ?? null, line, culprit, stage);
      if (wrong !== null) return { fits: false, got: `${title} ${wrong}` };
      const text = await causeLine(stage, subject);
      const ends = [object?.range?.lastGood?.commit, object?.range?.firstBad?.commit];
      const own = [...ends, object?.commit, ...Object.values(object?.revision ?? {})];
      const named = [
        ...namesOf(text ?? '', line, stage).filter(({ commit }) => !ends.includes(commit)),
        ...namesOf(object?.sentence ?? '', line, stage).filter(
          ({ commit }) => !own.some((known) => known?.endsWith(commit)),
        ),
      ].map(({ note }) => note);
      return {
        fits: text !== null && named.length === 0,
        got: `${title} ${object?.range?.text}; the cause line says ${text ?? 'nothing'}; also named: ${named.join(', ') || 'none'}`,
      };
    },
  };
}

/** Checks that the cause line and the range of an object still say what they said when it was noted. */
export function keepsAccusing(subject: Subject, note: string): Check {
  const title = `${titleOf(subject)}: range and cause line`;
  return {
    expects: `${title} as "${note}"`,
    async find(stage) {
      const now = await accusation(stage, subject);
      return { fits: now === noteOf(stage, note), got: `${title} ${now}, not ${noteOf(stage, note)}` };
    },
  };
}

/** Notes the range and the cause line of an object. */
export function notesAccusation(subject: Subject, note: string): (stage: Stage) => Promise<void> {
  return async (stage) => void stage.notes.set(note, await accusation(stage, subject));
}

/** One absence of an object: in which range it must have broken, and whether it lasts. */
interface ExpectedAbsence {
  readonly culprit: string;
  readonly open: boolean;
}

/** These absences of an object since a noted time, oldest first, and no others; each range holds its culprit. */
export function absencesAre(subject: Subject, since: string, line: Line, expected: readonly ExpectedAbsence[]): Check {
  const title = `absences of ${titleOf(subject)} since "${since}"`;
  const words = expected.map(({ culprit, open }) => `one that "${culprit}" began, ${open ? 'open' : 'over'}`);
  return {
    expects: `${title}: ${words.join('; ') || 'none'}`,
    async find(stage) {
      const found = await stage.plumbline.absences(subject, Number(noteOf(stage, since)));
      const wrong = expected.flatMap(({ culprit, open }, index) => {
        const absence = found[index];
        if (absence === undefined) return [`none for "${culprit}"`];
        const state = open === (absence.ended === null) ? null : `that of "${culprit}" has ended: ${absence.ended}`;
        return [state, wrongWith(absence.range, line, culprit, stage)].filter((each) => each !== null);
      });
      return {
        fits: found.length === expected.length && wrong.length === 0,
        got: `${title}: ${found.length}; ${wrong.join('; ') || 'as expected'}`,
      };
    },
  };
}

function wrongWith(range: WireCommitRange | null, line: Line, culprit: string, stage: Stage): string | null {
  if (range === null) return 'in no range';
  const placeOf = (commit: string | null | undefined): number =>
    line.findIndex((note) => commit !== null && commit !== undefined && stage.notes.get(note) === commit);
  const [good, bad] = [placeOf(range.lastGood?.commit), placeOf(range.firstBad?.commit)];
  const guilty = line.indexOf(culprit);
  const holds = good >= 0 && good < guilty && guilty <= bad;
  const ends = `${line[good] ?? 'unknown'} .. ${line[bad] ?? 'unknown'}`;
  if (!holds) return `between ${ends}, without "${culprit}": ${range.text}`;
  // Neither end alone may stand as the one.
  const named = [range.lastGood, range.firstBad].every((end) => range.text.includes(end?.text ?? ''));
  return named ? null : `between ${ends}, but said is only: ${range.text}`;
}

/** The commits of the line that a text names by their first seven digits. */
function namesOf(
  text: string,
  line: Line,
  stage: Stage,
): readonly { readonly note: string; readonly commit: string }[] {
  return line.flatMap((note) => {
    const commit = stage.notes.get(note);
    return commit !== undefined && text.includes(commit.slice(0, 7)) ? [{ note, commit }] : [];
  });
}

async function causeLine(stage: Stage, subject: Subject): Promise<string | null> {
  const causes = await stage.plumbline.causes();
  const own = causes.find(
    ({ cause }) => cause?.type === 'object' && cause.cluster === subject.cluster && cause.name === subject.name,
  );
  return own?.text ?? null;
}

async function accusation(stage: Stage, subject: Subject): Promise<string> {
  const object = await stage.plumbline.object(subject);
  return `${object?.range?.text ?? 'no range'}; ${(await causeLine(stage, subject)) ?? 'no cause line'}`;
}
