import type { WireAlarmChain, WireObjectPage } from '#lib/api/object.ts';
import { alarmsPath } from '#lib/api/paths.ts';
import { alarmsNotKept, linkName } from '#lib/domain/alarm/alarm-text.ts';
import { countOf } from '#lib/format/number.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { useNow } from '../../ui/now.tsx';
import { LinkGlyph } from '../../ui/link-glyph.tsx';
import { Section } from '../../ui/page/page.tsx';
import { PageLink as Link } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { alarmSentence, chainIsOf } from './alarm-words.ts';
import { NotifiedPart } from './notified.tsx';

/** Who is called for the object, or which link of the chain to somebody is broken and what mends it, link by link. */
export function AlarmSection({ page }: { readonly page: WireObjectPage }) {
  const past = useMoment() !== null;
  const now = useNow();
  const { chain } = page;
  if (past)
    return (
      <Section id="alarm" title="Alarm">
        <p className="max-w-[74ch]">{alarmsNotKept}</p>
      </Section>
    );
  return (
    <Section id="alarm" title="Alarm" note={chain.asOf !== null && <AsOf at={chain.asOf} />}>
      <p className={page.object.alarm.state === 'silent' ? 'max-w-[74ch] font-semibold' : 'max-w-[74ch]'}>
        {alarmSentence(page, now)}
      </p>
      {chainIsOf(page) && chain.mend !== null && <p className="mt-1 max-w-[74ch]">Mend: {chain.mend}</p>}
      {chain.steps.length > 0 && <Steps steps={chain.steps} />}
      {chain.alerts.length > 0 && <Alerts chain={chain} />}
      <NotifiedPart page={page} />
      <p className="screen-only pt-2 text-mute">
        <Link className="link" href={coverageOf(page)} prefetch={false}>
          What alarms cover of {page.object.kind} on {page.object.cluster}
        </Link>
      </p>
    </Section>
  );
}

function coverageOf({ object: { cluster, group, kind } }: WireObjectPage): string {
  return alarmsPath({ cluster, group: group === '' ? '-' : group, kind });
}

function AsOf({ at }: { readonly at: string }) {
  return (
    <>
      as read at <Time at={at} as="clock" />
    </>
  );
}

const stateWord: Readonly<Record<WireAlarmChain['steps'][number]['state'], string>> = {
  whole: 'whole',
  broken: 'broken',
  later: 'not reached',
};

function Steps({ steps }: { readonly steps: WireAlarmChain['steps'] }) {
  return (
    <ol className="chain" aria-label="Links from the object to somebody who is called">
      {steps.map(({ link, state, text, at }) => (
        <li key={link} className={state}>
          <LinkGlyph state={state} />
          <span className="chain-name">{linkName[link]}</span>
          <span className="chain-state">{stateWord[state]}</span>
          <span className="chain-text">
            {text}
            {at !== null && (
              <span className="text-mute">
                {' '}
                <Time at={at} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

type Alert = WireAlarmChain['alerts'][number];

const alertState: Readonly<Record<Alert['state'], string>> = {
  pending: 'pending: its rule still waits',
  firing: 'fires, and no Alertmanager has it',
  'held-back': 'held back',
  unheard: 'fires, and calls nobody',
  unknown: 'fires, and whether it calls is not known',
  sounding: 'sounding',
};

const alertFor: Readonly<Record<Alert['by'], string>> = {
  own: '',
  cause: ', for its root cause',
  group: ', for the group that it is in',
  notification: ', by a notification of Flux',
};

function Alerts({ chain: { alerts, alertsTotal } }: { readonly chain: WireAlarmChain }) {
  return (
    <>
      <h3 className="mt-3 text-mute">Alerts that concern it</h3>
      <ul>
        {alerts.map((alert) => (
          <AlertLine key={`${alert.source} ${alert.name} ${JSON.stringify(alert.labels)}`} alert={alert} />
        ))}
      </ul>
      {alertsTotal === null && <p className="pt-1 text-mute">More alerts may concern it: too many to look at.</p>}
      {alertsTotal !== null && alertsTotal > alerts.length && (
        <p className="pt-1 text-mute">
          The first {alerts.length} of {countOf(alertsTotal, 'alert')}.
        </p>
      )}
    </>
  );
}

function AlertLine({ alert: { source, name, by, state, labels, since, receivers } }: { readonly alert: Alert }) {
  const named = Object.entries(labels).filter(([label]) => label !== 'alertname');
  return (
    <li className="alert">
      <p>
        <b>{name}</b> {alertState[state]}
        {alertFor[by]}, since <Time at={since} />
        {receivers.length > 0 && `, to ${receivers.join(', ')}`} <span className="text-mute">({source})</span>
      </p>
      {named.length > 0 && (
        <ul className="alert-labels" aria-label={`Labels of ${name}`}>
          {named.map(([label, value]) => (
            <li key={label}>
              <code>
                {label}={value}
              </code>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
