import type { WireSuspect, WireSuspects, WireSuspicion } from '#lib/api/git/suspect.ts';
import { wireCommitName } from './wire-commit.ts';
import { moment } from './wire-fleet.ts';

const asOf = new Date(moment).toISOString();

/** A commit that touches one file of what is built from. */
export function wireSuspect(part: Partial<WireSuspect> = {}): WireSuspect {
  return { ...wireCommitName(), files: ['apps/checkout/ingress.yaml'], fileCount: 1, ...part };
}

/** One culprit among four commits, owned by a team. */
export function wireSuspicion(part: Partial<WireSuspicion> = {}): WireSuspicion {
  return {
    type: 'culprit',
    sentence: 'Of 4 commits in this range, one touches what it builds from.',
    late: false,
    commits: 4,
    suspects: [wireSuspect()],
    more: false,
    owners: ['@acme/payments'],
    asOf,
    ...part,
  };
}

/** An answer with one row. */
export function wireSuspects(of: string, suspicion: WireSuspicion | null): WireSuspects {
  return { asOf, rows: [{ of, suspicion }] };
}
