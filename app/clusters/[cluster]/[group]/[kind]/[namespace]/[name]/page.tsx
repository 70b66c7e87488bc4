import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { MissingObject } from '#components/object/missing-screen.tsx';
import { ObjectScreen } from '#components/object/object-screen.tsx';
import { NoMomentScreen } from '#components/shell/moment/no-moment-screen.tsx';
import { objectWords } from '#lib/api/git/suspect.ts';
import { refFromSegments, refParams } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { isRefused } from '#server/web/http/problem.ts';
import { requestedMoment } from '#server/web/past/requested-moment.ts';
import { pageIsNotFound, webRuntime } from '#server/web/runtime-global.ts';
import { sentSuspects } from '../../../../../../sent-suspects.ts';
import { recordOfObject } from '../../../../../record-here.ts';
import { GitHere } from '../../../../../../git-here.tsx';

interface ObjectPageProps {
  readonly params: Promise<ObjectRef>;
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ObjectPage({ params, searchParams }: ObjectPageProps) {
  await connection();
  const ref = readRef(await params);
  if (ref === null) notFound();
  const runtime = webRuntime();
  const { cluster, group, kind, namespace, name } = ref;
  const scope = { clusters: [cluster], kind: { group, kind }, namespace, name };
  const search = await searchParams;
  const asked = await requestedMoment(runtime, search['at'], scope);
  if (asked.type === 'none') {
    pageIsNotFound();
    return <NoMomentScreen why={asked.why} summary={runtime.summary()} />;
  }
  const { known, moment } = asked;
  const page = await known.ask(runtime.endpoints.object, ref);
  if (isRefused(page)) {
    pageIsNotFound();
    const { nearest = [], last } = page.refused.type === 'not-found' ? page.refused : {};
    return <MissingObject wanted={ref} nearest={nearest} last={last} summary={await known.summary()} moment={moment} />;
  }
  const { endpoints } = runtime;
  const [record, suspects] = await Promise.all([
    recordOfObject({ known, endpoints, search, moment }, ref),
    page.object.range === null ? null : sentSuspects({ known, runtime, moment }, { object: objectWords(ref) }),
  ]);
  return (
    <GitHere of={[page, record]} lag={moment === null ? refParams(ref) : null}>
      <ObjectScreen page={page} summary={await known.summary()} moment={moment} record={{ ...record, suspects }} />
    </GitHere>
  );
}

/** The object that an address names; null where it cannot be read. */
function readRef(segments: ObjectRef): ObjectRef | null {
  try {
    return refFromSegments(segments);
  } catch {
    return null;
  }
}
