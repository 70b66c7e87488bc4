import { Fragment } from 'react';
import type { WireAlarms, WireNotifications } from '#lib/api/alarm/alarms.ts';
import { alarmsPath, clusterPath } from '#lib/api/paths.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { LinkGlyph } from '../ui/link-glyph.tsx';
import { Section } from '../ui/page/page.tsx';
import { PageLink as Link } from '../ui/page-link.tsx';

/** Notifications of Flux itself, beside the alarms: how many objects of each kind it would tell of, and Alerts that tell nobody. */
export function Notifications({ answer: { notifications } }: { readonly answer: WireAlarms }) {
  return (
    <Section id="notifications" title="What Flux tells" note={noteOf(notifications)}>
      <Told notifications={notifications} />
    </Section>
  );
}

function noteOf({ counted, unknown }: WireNotifications): string {
  if (unknown !== null) return '';
  return counted
    ? 'Alert and Provider; counts as an alarm, by policy.alarms.notifications'
    : 'Alert and Provider; a message in a channel is no page: it does not count as an alarm';
}

function Told({ notifications }: { readonly notifications: WireNotifications }) {
  const { unknown, alerts, clusters, kinds, kindsTotal, findings, findingsTotal, findingLines } = notifications;
  if (unknown === 'not-kept') return <p className="text-mute">What Alerts there were then is not kept.</p>;
  return (
    <>
      <p>
        {alerts === 0
          ? 'No Alert is known.'
          : `${countOf(alerts, 'Alert')} on ${countOf(clusters, 'cluster')}${findingsTotal === 0 ? ', none with a fault that is known.' : '.'}`}{' '}
        <Unread notifications={notifications} />
      </p>
      {findings.length > 0 && (
        <ul aria-label="Alerts that tell nobody">
          {findings.map(({ clusters: where, clustersTotal, alert, text, mend }) => (
            <li key={`${alert ?? ''} ${text}`} className="finding">
              <p>
                {where.map((cluster, at) => (
                  <Fragment key={cluster}>
                    {at > 0 && ', '}
                    <Link className="link" href={clusterPath(cluster)} prefetch={false}>
                      {cluster}
                    </Link>
                  </Fragment>
                ))}
                {clustersTotal > where.length && ` and ${formatCount(clustersTotal - where.length)} more`} {text}
              </p>
              <p>
                <span className="text-mute">Mend:</span> {mend}
              </p>
            </li>
          ))}
        </ul>
      )}
      {findingLines > findings.length && (
        <p className="text-mute">
          The first {formatCount(findings.length)} of {formatCount(findingLines)}.
        </p>
      )}
      {kinds.length > 0 && (
        <ul className="told-kinds" aria-label="Kinds, by whether Flux would tell of them">
          {kinds.map((kind) => (
            <Kind key={`${kind.group}/${kind.kind}`} kind={kind} />
          ))}
        </ul>
      )}
      {kindsTotal > kinds.length && (
        <p className="text-mute">
          The worst {formatCount(kinds.length)} of {countOf(kindsTotal, 'kind')}.
        </p>
      )}
    </>
  );
}

function Unread({ notifications: { unread, unreadTotal } }: { readonly notifications: WireNotifications }) {
  if (unreadTotal === 0) return null;
  const more = unreadTotal - unread.length;
  return (
    <>
      Not known on {unread.join(', ')}
      {more > 0 && ` and ${formatCount(more)} more`}.
    </>
  );
}

function Kind({ kind: { group, kind, clusters, told } }: { readonly kind: WireNotifications['kinds'][number] }) {
  const { yes, no, unknown } = told;
  const words = [
    [yes, 'would be told of'],
    [no, 'would not'],
    [unknown, 'not known'],
  ] as const;
  return (
    <li>
      <LinkGlyph state={no > 0 ? 'broken' : unknown > 0 ? 'unknown' : 'whole'} />{' '}
      <Link className="link" href={alarmsPath({ group, kind })} prefetch={false}>
        {kind}
      </Link>{' '}
      <span className="text-mute">on {countOf(clusters, 'cluster')}:</span>{' '}
      {words
        .filter(([count]) => count > 0)
        .map(([count, word]) => `${formatCount(count)} ${word}`)
        .join(', ')}
    </li>
  );
}
