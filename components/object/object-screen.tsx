'use client';

import './object.css';
import type { WireFleetHead } from '#lib/api/fleet.ts';
import type { WireObjectPage } from '#lib/api/object.ts';
import { PageFrame } from '../shell/page-frame.tsx';
import { StickyLine } from '../ui/sticky-line.tsx';
import { VerdictGlyph } from '../ui/verdict-glyph.tsx';
import { ClusterNotice } from './cluster-notice.tsx';
import { Commands } from './commands.tsx';
import { Crumbs } from './crumbs.tsx';
import { Evidence } from './evidence.tsx';
import { Figures } from './figures.tsx';
import { Alarm, Drift, Suspended, Weakens } from './guarantee.tsx';
import { History } from './history.tsx';
import { ObjectSentence } from './object-sentence.tsx';
import { Relations, RootCause } from './relations.tsx';
import { InGit, Says } from './says.tsx';
import { Transitions } from './transitions.tsx';
import { useObject } from './use-object.ts';
import { useVerdictVoice } from './use-verdict-voice.ts';

interface ObjectScreenProps {
  readonly page: WireObjectPage;
  readonly head: WireFleetHead;
}

/** One object: what is wrong, since when, because of what, what runs, what else broke with it. */
export function ObjectScreen({ page, head }: ObjectScreenProps) {
  const { cluster, group, kind, namespace, name } = page.object;
  return (
    <PageFrame
      title={`${name} on ${cluster}`}
      place={null}
      topic={{ topic: 'object', cluster, group, kind, namespace, name }}
      head={{ ...head, asOf: page.asOf }}
    >
      <ObjectBody sent={page} />
    </PageFrame>
  );
}

function ObjectBody({ sent }: { readonly sent: WireObjectPage }) {
  const { page, removed, error } = useObject(sent);
  const { object } = page;
  useVerdictVoice(object);
  return (
    <>
      {removed && (
        <StickyLine tone="warn">
          <b>The cluster no longer has this object.</b> What stands here is what was last known of it.
        </StickyLine>
      )}
      {error !== null && !removed && (
        <StickyLine tone="warn">{error.message} What stands here is from before.</StickyLine>
      )}
      <ClusterNotice cluster={page.cluster} />
      <div className="page">
        <Crumbs cluster={page.cluster} />
        <div className="page-title">
          <VerdictGlyph verdict={object.verdict} size={15} />
          <h1>
            {object.name} on {object.cluster}
          </h1>
          <span className="text-mute">
            {object.kind}
            {object.namespace === '' ? (
              ', cluster-scoped'
            ) : (
              <>
                {' '}
                in <code>{object.namespace}</code>
              </>
            )}
          </span>
        </div>
        <ObjectSentence page={page} />
        <Figures page={page} />
        <Suspended page={page} />
        <div className="two">
          <div>
            <Says page={page} />
            <InGit page={page} />
            <Evidence page={page} />
          </div>
          <div>
            <RootCause page={page} />
            <Relations page={page} />
            <Weakens page={page} />
          </div>
        </div>
        <div className="two">
          <Alarm page={page} />
          <Drift page={page} />
        </div>
        <History page={page} />
        <Transitions page={page} />
        <Commands commands={page.commands} />
      </div>
    </>
  );
}
