/** An alerting rule as a file of rules has it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly [name: string]: string };
  readonly annotations: { readonly [name: string]: string };
}

/** A group of rules. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly AlertRule[];
}

/** The label by which Alertmanager's route knows these alerts. */
export const alarmLabel = { name: 'plumbline', value: 'alarm' } as const;

/** Labels of an alert. */
export function ruleLabels(severity: string): AlertRule['labels'] {
  return { severity, [alarmLabel.name]: alarmLabel.value };
}
