import type { Exemption, ExemptionKind } from './exemption.ts';
import type { Finding } from '../verdict/finding.ts';
import { finding } from '../chain/join.ts';
import type { Observation } from '../observation/observation.ts';

/** Kinds that exempt an object from the sentence altogether: what is in git is not made so, or not meant to be. */
const exempting: ReadonlySet<ExemptionKind> = new Set(['reconcile-disabled', 'observe-only']);

/** True if an object is exempted: the guarantee is off for it, however well it is (docs/design/guarantee.md). */
export function isExempted({ exemptions }: { readonly exemptions: readonly Exemption[] }): boolean {
  return exemptions.some(({ kind }) => exempting.has(kind));
}

/**
 * A live opt-out (docs/facts/flux.md): whoever delivers the object leaves it as it is and is Ready all the same, so
 * nothing proves that it is as git declares it. Null for what nobody delivers: there the annotation takes nothing away.
 */
export function optOutFinding({ ref, deliveredBy, exemptions }: Observation): Finding | null {
  const found = exemptions.find(({ kind }) => kind === 'reconcile-disabled');
  if (!found || deliveredBy === null) return null;
  const by = found.by === null ? '' : ` by ${found.by}`;
  return finding({
    verdict: 'unconfirmed',
    reason: 'OptedOut',
    sentence: `${ref.kind} ${ref.name} is opted out (${found.field}${by}): ${deliveredBy.kind} ${deliveredBy.name} leaves it as it is, whatever git says.`,
    names: [deliveredBy],
    evidence: [{ from: 'field', text: found.field, at: found.at }],
    rootCause: null,
  });
}
