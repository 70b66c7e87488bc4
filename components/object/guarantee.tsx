import type { WireObjectPage } from '#lib/api/object.ts';
import { countOf } from '#lib/format/number.ts';
import { useMoment } from '../shell/moment/moment.tsx';
import { Section } from '../ui/page/page.tsx';
import { Time } from '../ui/time.tsx';
import { RecordTable } from '../ui/tables/record-table.tsx';

type PageProps = { readonly page: WireObjectPage };

/** Exemptions that weaken the guarantee for the object: the field, what it means, who set it. */
export function Weakens({ page }: PageProps) {
  const { exemptions } = page.object;
  const past = useMoment() !== null;
  return (
    <Section id="weakens" title="Weakens the guarantee">
      {exemptions.length === 0 ? (
        <p className="text-mute">{past ? 'What weakened it then is not kept.' : 'Nothing that is known.'}</p>
      ) : (
        <ul>
          {exemptions.map(({ kind, field, meaning, by, at, reach }) => (
            <li key={`${kind}${field}`} className="line">
              <span className="line-what">
                <code>{field}</code>{' '}
                <span className="text-mute">
                  {meaning}
                  {reach !== null && `; covers ${countOf(reach, 'object')}`}
                </span>
              </span>
              <span className="line-end">
                {by === null ? 'set by whom is not known' : `by ${by}`}
                {at !== null && (
                  <>
                    , <Time at={at} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

type DriftWord = WireObjectPage['object']['drift'];

const driftWords: Readonly<Record<Exclude<DriftWord, 'found'>, string>> = {
  none: 'None is found: its reconciler compares what runs with what is declared.',
  corrected: 'A difference was found and undone.',
  contested: 'Something else keeps changing it back: a difference is found and undone again and again.',
  'not-measured': 'Not measured',
};

const left = 'A difference was found and is being left in place';
const foundWords: Readonly<Record<WireObjectPage['object']['verdict'], string>> = {
  diverged: 'A difference was found, and undoing it fails',
  converged: 'A difference was found and is being undone',
  drifted: left,
  unhealthy: left,
  stale: left,
  unobserved: left,
  suspended: left,
  behind: left,
  waiting: left,
  progressing: left,
  unconfirmed: left,
};

/** Sentence on drift, with what its reconciler says of it: what differs, or why nobody compares. */
function driftSentence({ object, driftSays }: WireObjectPage): string {
  const blind = object.verdict === 'stale' || object.verdict === 'unobserved';
  if (blind && object.drift === 'none') return blindDrift;
  const words = object.drift === 'found' ? foundWords[object.verdict] : driftWords[object.drift];
  if (words.endsWith('.')) return words;
  return driftSays === null ? `${words}.` : `${words}: ${driftSays.replace(/\.$/, '')}.`;
}

const blindDrift = 'None was found when it was last looked at; nobody looks now.';

/** Tells if drift is measured for the object, and what its reconciler found and undid. */
export function Drift({ page }: PageProps) {
  const { corrections } = page;
  return (
    <Section id="drift" title="Drift">
      <p className="max-w-[74ch]">{driftSentence(page)}</p>
      {corrections.length > 0 && (
        <div className="overflow-x-auto">
          <RecordTable
            className="mt-2"
            caption="Corrections: drift that was found and undone"
            titles={['Corrected', 'How sure', 'Times', 'What was said']}
          >
            {corrections.map(({ at, certainty, said, count }) => (
              <tr key={`${at}${said}`}>
                <td>
                  <Time at={at} />
                </td>
                <td>{certainty}</td>
                <td>at least {count}</td>
                <td className="wrap-anywhere">
                  <code>{said}</code>
                </td>
              </tr>
            ))}
          </RecordTable>
        </div>
      )}
    </Section>
  );
}

/** That it is switched off, by which field, by whom, since when. */
export function Suspended({ page }: PageProps) {
  const { suspended, object } = page;
  if (suspended === null) return null;
  return (
    <Section id="suspended" title="Suspended">
      <p className="max-w-[74ch]">
        Switched off on purpose by <code>{suspended.field}</code>
        {suspended.by === null ? (
          ', set by whom is not known'
        ) : (
          <>
            , set by <code>{suspended.by}</code>
          </>
        )}
        {suspended.at === null ? (
          ''
        ) : (
          <>
            , <Time at={suspended.at} />
          </>
        )}
        .{object.was !== null && ` Beneath it: ${object.was}.`} Until it is resumed nothing from git arrives here.
      </p>
    </Section>
  );
}
