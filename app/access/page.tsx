import { connection } from 'next/server';
import { AccessScreen, NoAuditorScreen } from '#components/access/access-screen.tsx';
import { pageIsForbidden, pageVisit, webRuntime } from '#server/web/runtime-global.ts';

/** Lines that one page shows. */
const shown = 500;

export default async function AccessPage() {
  await connection();
  const summary = webRuntime().summary();
  const { viewer, accesses } = pageVisit();
  if (accesses === null) {
    pageIsForbidden();
    return <NoAuditorScreen summary={summary} isAsked={viewer !== null} />;
  }
  const all = accesses();
  return <AccessScreen summary={summary} accesses={all.slice(0, shown)} kept={all.length} />;
}
