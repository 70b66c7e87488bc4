import type { WireObjectPage } from '#lib/api/object.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { Section } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time.tsx';

const proof: Readonly<Record<WireObjectPage['object']['confirmation'], string>> = {
  pass: 'its own passes show that its loop turns',
  controller: 'its controller shows that its loop turns',
  none: 'nothing shows that its loop turns',
};

/** Evidence that the verdict rests on. */
export function Evidence({ page }: { readonly page: WireObjectPage }) {
  const { object, evidence } = page;
  const past = useMoment() !== null;
  const seen = new Set<string>();
  const lines = evidence.filter(({ from, text }) => {
    const key = `${from} ${text}`;
    return seen.has(key) ? false : seen.add(key);
  });
  return (
    <Section
      id="evidence"
      title="Evidence"
      note={past ? undefined : object.verdict === 'unobserved' ? 'as it was last seen' : proof[object.confirmation]}
    >
      {lines.length === 0 ? (
        <p className="text-mute">
          {past ? 'What its verdict rested on then is not kept.' : 'The record of the evidence cannot be read now.'}
        </p>
      ) : (
        <ul>
          {lines.map(({ from, text, at }) => (
            <li key={`${from}${text}`} className="line">
              <span className="line-from">{from}</span>
              <span className="line-what">{text}</span>
              <span className="line-end">{at !== null && <Time at={at} as="clock" />}</span>
            </li>
          ))}
        </ul>
      )}
      {!past && <LastWord object={object} />}
    </Section>
  );
}

function LastWord({ object }: Pick<WireObjectPage, 'object'>) {
  return (
    <p className="mt-2 text-mute">
      The cluster's last word on it <Time at={object.observedAt} as="clock" />
      {object.confirmedAt === null ? (
        '; no pass of its loop is known.'
      ) : (
        <>
          ;{' '}
          {object.confirmation === 'controller' ? 'last sign of life of its controller' : 'last known pass of its loop'}{' '}
          <Time at={object.confirmedAt} as="clock" />.
        </>
      )}
    </p>
  );
}
