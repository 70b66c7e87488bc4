import type { WireObjectPage } from '#lib/api/object.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { useMoment } from '../../shell/moment/moment.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Section } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time.tsx';

/** Words of the reconciler on the object, its own: every condition, the message whole. */
export function Says({ page }: { readonly page: WireObjectPage }) {
  const { object, conditions, message, cadence } = page;
  const past = useMoment() !== null;
  const rhythm = [
    cadence.intervalMs === null ? '' : `every ${formatDuration(cadence.intervalMs)}`,
    cadence.timeoutMs === null ? '' : `timeout ${formatDuration(cadence.timeoutMs)}`,
  ].filter((part) => part !== '');
  const spoken = conditions.some((condition) => condition.message === message);
  return (
    <Section id="says" title="What the reconciler says" note={[object.reconciler, ...rhythm].join(', ')}>
      {!spoken && message !== '' && (
        <>
          <p className="text-mute">
            {past ? 'Its word as this verdict began' : 'The word that stands until the next has settled'}
            {object.reason === '' ? '' : `: ${object.reason}`}
          </p>
          <pre className="said">{message}</pre>
        </>
      )}
      {conditions.length === 0 ? (
        <p className="text-mute">
          {past ? 'Its conditions of then are not kept' : 'It has no condition'}
          {object.reason === '' ? '.' : `; Plumbline's reason: ${object.reason}.`}
        </p>
      ) : (
        <table className="conditions">
          <caption className="sr-only">Conditions</caption>
          <colgroup>
            <col className="condition-name" />
            <col />
          </colgroup>
          <thead className="sr-only">
            <tr>
              <th scope="col">Condition</th>
              <th scope="col">Status, reason, last transition as the reconciler stamps it, message</th>
            </tr>
          </thead>
          <tbody>
            {conditions.map((condition) => (
              <tr key={condition.type}>
                <th scope="row">{condition.type}</th>
                <td>
                  <div className="condition-status">
                    <span>
                      <b>{condition.status}</b> {condition.reason}
                    </span>
                    {condition.lastTransitionTime !== null && <Time at={condition.lastTransitionTime} as="clock" />}
                  </div>
                  {condition.message !== '' && <pre className="said">{condition.message}</pre>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** Where in git the object comes from: repository, path at the commit that runs, who last wrote its spec on the cluster. */
export function InGit({ page }: { readonly page: WireObjectPage }) {
  const { object, target, specEditedBy, upstreams } = page;
  const delivery = upstreams.find(({ relation }) => relation === 'delivered by')?.object ?? null;
  const source = upstreams.find(({ relation }) => relation === 'source')?.object ?? null;
  const from = object.path === null ? delivery : object;
  return (
    <Section id="in-git" title="In git">
      <dl className="pairs">
        {from !== null && from.path !== null && (
          <>
            <dt>Path</dt>
            <dd>
              <PathLink path={from.path} href={from.links.tree} />
              {from !== object && (
                <span className="text-mute">
                  {' '}
                  of {from.kind} {from.name}, which delivers it
                </span>
              )}
            </dd>
          </>
        )}
        {object.source !== null && (
          <>
            <dt>Source</dt>
            <dd>
              {object.source.kind}{' '}
              {source === null ? (
                object.source.name
              ) : (
                <PageLink className="link" href={source.links.self} prefetch={false}>
                  {object.source.name}
                </PageLink>
              )}
            </dd>
          </>
        )}
        {target !== null && (
          <>
            <dt>Repository</dt>
            <dd className="wrap-anywhere">
              <code>{target.url}</code>
            </dd>
            <dt>Reference</dt>
            <dd>
              {target.reference}
              {target.floating && <span className="text-mute">, floating: it may name other content tomorrow</span>}
            </dd>
          </>
        )}
        {specEditedBy !== null && (
          <>
            <dt>Spec last set by</dt>
            <dd>
              <code>{specEditedBy.manager}</code>
              {specEditedBy.at !== null && (
                <span className="text-mute">
                  , <Time at={specEditedBy.at} />
                </span>
              )}
            </dd>
          </>
        )}
        {from === null && target === null && object.source === null && (
          <>
            <dt>Path</dt>
            <dd className="text-mute">Nothing tells which file in git it comes from.</dd>
          </>
        )}
      </dl>
    </Section>
  );
}

/** A path in a repository, linked where its host is known. */
export function PathLink({ path, href }: { readonly path: string; readonly href: string | null }) {
  const text = <code className="wrap-anywhere">{path === '' ? 'the root of the repository' : path}</code>;
  return href === null ? (
    text
  ) : (
    <a className="link" href={href}>
      {text}
    </a>
  );
}
