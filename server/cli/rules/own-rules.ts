import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readPromDuration } from '#lib/domain/alarm/declared/prom-duration.ts';
import { alarmLabel, type RuleGroup } from './rule.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'deploy', 'prometheus', 'rules.yaml');
const Labels = z.record(z.string(), z.string());
const File = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({ alert: z.string(), expr: z.string(), for: z.string(), labels: Labels, annotations: Labels }),
      ),
    }),
  ),
});

/**
 * The rules on Plumbline itself and on what it knows, as deploy/prometheus/rules.yaml has them. Of the critical ones none waits longer than `hold` (ms):
 * it must sound within the policy.
 */
export async function ownRules(hold: number, holdText: string): Promise<readonly RuleGroup[]> {
  const { groups } = File.parse(parse(await readFile(file, 'utf8')));
  return groups.map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({
      ...rule,
      for: rule.labels['severity'] === 'critical' && (readPromDuration(rule.for) ?? 0) > hold ? holdText : rule.for,
      labels: { ...rule.labels, [alarmLabel.name]: alarmLabel.value },
    })),
  }));
}
