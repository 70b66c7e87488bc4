import type { CheckedSource } from '#lib/domain/alarm/check/checked.ts';
import { isBelieved, rulesReadAt } from '#lib/domain/alarm/source.ts';
import { areScopesAsked } from '#server/collector/alarms/prometheus/wanted-scopes.ts';
import type { AlarmEntry } from '#server/config/alarms-schema.ts';
import type { ToldSource } from './told-sources.ts';

/** A source as it is compared, and why not all of it is known: a sentence; null where all is. */
export interface KnownSource {
  readonly checked: CheckedSource;
  readonly lack: string | null;
}

/** A configured source by what it told; `now` in ms. What was not read, or not of late, is not believed. */
export function checkedSource(entry: AlarmEntry, told: ToldSource | null, now: number): KnownSource {
  const { name } = entry;
  if (told === null) {
    const checked = { name, attribution: entry.attribution, facts: [], believed: false, readAt: null, cut: true };
    return { checked, lack: `${name}: nothing is known of it.` };
  }
  const { source, facts } = told;
  const missing = addressesOf(entry).find((address) => !source.programs.some(({ url }) => url === address));
  const lost = source.programs.find((program) => !isBelieved(program, now));
  const believed = missing === undefined && lost === undefined;
  const isAsked = entry.prometheus === null || areScopesAsked(facts, entry.metrics);
  const checked = {
    name,
    attribution: source.attribution,
    facts,
    believed,
    readAt: rulesReadAt(source),
    cut: source.cut.length > 0 || !isAsked,
  };
  if (missing !== undefined) return { checked, lack: `${name}: nothing is known of ${missing}.` };
  if (lost !== undefined)
    return { checked, lack: `${name}: ${lost.url}: ${lost.reason ?? 'it was not read whole of late.'}` };
  const [cut = isAsked ? null : 'its series have not all been asked for yet.'] = source.cut;
  return { checked, lack: cut === null ? null : `${name}: ${cut}` };
}

function addressesOf({ prometheus, alertmanagers }: AlarmEntry): readonly string[] {
  return [...(prometheus === null ? [] : [prometheus]), ...alertmanagers];
}
