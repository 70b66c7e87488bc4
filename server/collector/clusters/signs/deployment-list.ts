import { listAt, textAt, type ForeignObject } from '#lib/foreign.ts';
import type { FeedState, ObservedDeployment } from '../cluster-event.ts';
import { readDeployment } from './deployments.ts';
import type { SignReader } from './sign-reader.ts';

interface Known {
  readonly deployments: readonly ObservedDeployment[];
  readonly table: string;
  looks: number;
}

const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';
/** A change that leaves the table as it is (an argument, a label) is found within so many looks. */
const wholeEach = 10;

/** The rows of a metav1.Table as text, without the age, which changes by itself; null where it is none. */
function rowsOf(body: ForeignObject): string | null {
  if (textAt(body, 'kind') !== 'Table') return null;
  const names = listAt(body, 'columnDefinitions').map((column) => textAt(column, 'name'));
  return JSON.stringify(
    listAt(body, 'rows').map((row) => listAt(row, 'cells').filter((_cell, index) => names[index] !== 'Age')),
  );
}

/**
 * Reads the Deployments of namespaces gently; null where they could not be read. A Deployment is some 6 KB, a row of the
 * table that kubectl prints some 200 bytes (measured): the whole is read only where the table (pods, images) is another
 * than before, and now and then.
 */
export function createDeploymentList(read: SignReader['read']) {
  const known = new Map<string, Known>();

  return {
    async look(
      namespace: string,
    ): Promise<{ readonly feed: FeedState; readonly deployments: readonly ObservedDeployment[] | null }> {
      const path = `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments?resourceVersion=0`;
      const first = await read(`${path}&includeObject=None`, asTable);
      if (first.body === null) return { feed: first.feed, deployments: null };
      const table = rowsOf(first.body);
      const before = known.get(namespace);
      if (before && before.table === table && before.looks < wholeEach) {
        before.looks += 1;
        return { feed: first.feed, deployments: before.deployments };
      }
      // What answers with a list instead has answered already.
      const { feed, body } = table === null ? first : await read(path);
      if (body === null) return { feed, deployments: null };
      const deployments = listAt(body, 'items').flatMap(readDeployment);
      if (table !== null) known.set(namespace, { deployments, table, looks: 1 });
      return { feed, deployments };
    },
  };
}
