import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { MissingObject } from '#components/object/missing-screen.tsx';
import { ObjectScreen } from '#components/object/object-screen.tsx';
import { refFromSegments } from '#lib/api/paths.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { pageIsNotFound } from '#server/web/page-status.ts';
import { webRuntime } from '#server/web/slot.ts';

interface ObjectPageProps {
  readonly params: Promise<ObjectRef>;
}

export default async function ObjectPage({ params }: ObjectPageProps) {
  await connection();
  const ref = readRef(await params);
  if (ref === null) notFound();
  const runtime = webRuntime();
  const page = await runtime.objectPage(ref);
  if ('type' in page) {
    pageIsNotFound();
    const { nearest, record = [] } = page;
    return <MissingObject wanted={ref} nearest={nearest} record={record} head={runtime.head()} />;
  }
  return <ObjectScreen page={page} head={runtime.head()} />;
}

/** The object that an address names; null where it cannot be read. */
function readRef(segments: ObjectRef): ObjectRef | null {
  try {
    return refFromSegments(segments);
  } catch {
    return null;
  }
}
