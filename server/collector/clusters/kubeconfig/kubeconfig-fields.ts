import { at, isForeignObject } from '#lib/foreign.ts';

/** A field of a kubeconfig that is not what it must be: its path of keys and indexes, and a clause that follows its name. */
export interface WrongField {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Kind = 'text' | 'texts' | 'flag';

/** All that is read of an entry, by the list that it stands in. Whoever uses one of these may rely on its kind. */
const entries = [
  {
    list: 'clusters',
    body: 'cluster',
    fields: {
      server: 'text',
      'certificate-authority': 'text',
      'certificate-authority-data': 'text',
      'insecure-skip-tls-verify': 'flag',
      'tls-server-name': 'text',
      'proxy-url': 'text',
    },
  },
  {
    list: 'users',
    body: 'user',
    fields: {
      'client-certificate': 'text',
      'client-certificate-data': 'text',
      'client-key': 'text',
      'client-key-data': 'text',
      token: 'text',
      tokenFile: 'text',
      username: 'text',
      password: 'text',
      as: 'text',
      'as-groups': 'texts',
    },
  },
  { list: 'contexts', body: 'context', fields: { cluster: 'text', user: 'text' } },
] as const satisfies readonly { list: string; body: string; fields: Readonly<Record<string, Kind>> }[];

/** The first field of a kubeconfig's content that is not of its kind, as kubectl refuses it too; null where all are or are absent. */
export function wrongField(content: unknown): WrongField | null {
  const current = fault('text', at(content, 'current-context'));
  if (current !== null) return { path: ['current-context'], message: current };
  for (const { list, body, fields } of entries) {
    const listed = at(content, list) ?? [];
    if (!Array.isArray(listed)) return { path: [list], message: 'must be a list' };
    for (const [index, entry] of listed.entries()) {
      const wrong = wrongOfEntry(entry, body, fields);
      if (wrong !== null) return { ...wrong, path: [list, index, ...wrong.path] };
    }
  }
  return null;
}

/** A path as people write it: users[0].user.token */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function wrongOfEntry(entry: unknown, body: string, fields: Readonly<Record<string, Kind>>): WrongField | null {
  if (!isForeignObject(entry)) return { path: [], message: mustHoldFields };
  const name = fault('text', entry['name']);
  if (name !== null) return { path: ['name'], message: name };
  const inner = entry[body] ?? {};
  if (!isForeignObject(inner)) return { path: [body], message: mustHoldFields };
  for (const [field, kind] of Object.entries(fields)) {
    const message = fault(kind, inner[field]);
    if (message !== null) return { path: [body, field], message };
  }
  return null;
}

const mustHoldFields = 'must hold fields (name: value)';

/** Why a value is not of its kind; null where it is, and where it says nothing (null is none, as for client-go). */
function fault(kind: Kind, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  switch (kind) {
    case 'flag':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'texts':
      return Array.isArray(value) && value.every((each) => typeof each === 'string') ? null : 'must be a list of texts';
    case 'text':
      if (typeof value === 'string') return null;
      return typeof value === 'object' ? 'must be text' : 'must be text: put it in quotes';
  }
}
