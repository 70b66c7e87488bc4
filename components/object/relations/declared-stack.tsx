import type { WireObjectPage } from '#lib/api/object.ts';
import { Section, Say } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time.tsx';
import { PathLink } from '../said/says.tsx';

/** All that there is to say of what plumbline.yaml declares: what it is and where its code lies. Nothing else is known of it. */
export function DeclaredStack({ page }: { readonly page: WireObjectPage }) {
  const { object, target } = page;
  return (
    <>
      <Say>
        <b>Unobserved.</b> {object.sentence} It stands here so that it is not forgotten: nobody compares it with git,
        and nothing here can say what it is like.
      </Say>
      <Section id="declared" title="What is declared" note="under stacks in plumbline.yaml">
        <dl className="pairs">
          <dt>Name</dt>
          <dd>{object.name}</dd>
          {target !== null && (
            <>
              <dt>Repository</dt>
              <dd className="wrap-anywhere">
                <code>{target.url}</code>
              </dd>
            </>
          )}
          {object.path !== null && (
            <>
              <dt>Path</dt>
              <dd>
                <PathLink path={object.path} href={object.links.tree} />
              </dd>
            </>
          )}
          {target === null && object.path === null && (
            <>
              <dt>Repository</dt>
              <dd className="text-mute">The file does not tell where its code lies.</dd>
            </>
          )}
          <dt>Declared</dt>
          <dd>
            <span className="text-mute">first read</span> <Time at={object.onset.time} />
          </dd>
        </dl>
      </Section>
    </>
  );
}
