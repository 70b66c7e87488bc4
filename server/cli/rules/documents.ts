import { Document, isScalar, isSeq, visit } from 'yaml';
import { alertmanagerConfig, alertmanagerParts } from './alertmanager.ts';
import { wayTime } from './alarm-time.ts';
import type { ClusterNaming } from './cluster-naming.ts';
import type { FleetKinds } from './fleet-kinds.ts';
import { exportConfig, exportName, exportRole } from './kube-state-metrics.ts';
import { promDuration } from './promql.ts';
import type { RuleGroup } from './rule.ts';

export const rulesFormats = ['yaml', 'prometheus'] as const;
/** yaml: objects of Kubernetes for the Prometheus operator; prometheus: plain files. */
export type RulesFormat = (typeof rulesFormats)[number];

/** One file of what is written. */
export interface RulesFile {
  /** Name without a folder. */
  readonly name: string;
  readonly text: string;
}

/** All that is to be written. */
export interface RulesContent {
  readonly fleet: FleetKinds;
  readonly groups: readonly RuleGroup[];
  /** Rules for the Prometheus that scrapes Plumbline; [] where they are not asked for. */
  readonly own: readonly RuleGroup[];
  readonly alarmWithin: number;
  readonly hold: string;
  readonly naming: ClusterNaming;
}

/** A document of YAML with a head; lists of plain words stand on one line. */
function yamlText(head: readonly string[], content: object): string {
  const document = new Document(content, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, node) {
      if (isSeq(node) && node.items.every(isScalar)) node.flow = true;
    },
  });
  const comment = head.map((line) => `# ${line}\n`).join('');
  return comment + document.toString({ lineWidth: 0, flowCollectionPadding: false, singleQuote: true });
}

/** The files, in the order in which they are applied. */
export function rulesFiles(content: RulesContent, format: RulesFormat): readonly RulesFile[] {
  switch (format) {
    case 'yaml':
      return operatorFiles(content);
    case 'prometheus':
      return plainFiles(content);
  }
}

function roleFile({ fleet }: RulesContent): RulesFile {
  return {
    name: 'kube-state-metrics-role.yaml',
    text: yamlText(
      [
        'What kube-state-metrics may read: of every cluster, with a binding to its service account:',
        `kubectl create clusterrolebinding ${exportName} --clusterrole=${exportName} --serviceaccount=NAMESPACE:NAME`,
        "A '*' stands where Plumbline does not keep the plural of a kind: the groups of providers, composites and claims.",
      ],
      exportRole(fleet.kinds),
    ),
  };
}

const exportHead = [
  'What kube-state-metrics exports: the state of every object that a reconciler keeps, on every cluster.',
  'It reads this when it starts: start it anew after a change.',
];

function ruleHead({ alarmWithin, hold }: RulesContent): readonly string[] {
  return [
    `policy.alarmWithin is ${promDuration(alarmWithin)}. The for of a rule is ${hold}: what is left of it after ${promDuration(wayTime)} for a`,
    'scrape a minute, two evaluations in 30s, and a group_wait of 30s.',
  ];
}

const ownHead = [
  'Rules on Plumbline itself and on what it knows, for the Prometheus that scrapes it (docs/operations.md).',
];

function operatorFiles(content: RulesContent): readonly RulesFile[] {
  const rule = (name: string, groups: readonly RuleGroup[]): object => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name },
    spec: { groups },
  });
  const selected = [
    'Give it the labels that the ruleSelector of your Prometheus asks for (kube-prometheus-stack: release=NAME).',
  ];
  return [
    roleFile(content),
    {
      name: 'kube-state-metrics.yaml',
      text: yamlText(exportHead, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: exportName },
        data: { 'config.yaml': yamlText([], exportConfig(content.fleet.kinds)) },
      }),
    },
    {
      name: 'rules.yaml',
      text: yamlText([...ruleHead(content), ...selected], rule('plumbline-fleet', content.groups)),
    },
    ...(content.own.length === 0
      ? []
      : [{ name: 'plumbline.yaml', text: yamlText([...ownHead, ...selected], rule('plumbline', content.own)) }]),
    {
      name: 'alertmanager.yaml',
      text: yamlText(
        [
          'FILL IN: what on-call calls with, in place of pagerdutyConfigs or by the Secret that it names. Plumbline knows no key of a pager.',
          'Until then the operator does not take this object, and nobody is called.',
          'The operator adds the matcher namespace="<namespace of this object>" to its route, and these alerts have no such label: set',
          'alertmanagerConfigMatcherStrategy.type of your Alertmanager to None, or to OnNamespaceExceptForAlertmanagerNamespace and put this into its namespace.',
          'Each object is a group of its own, for what joins a group that has called already calls nobody anew.',
          'What is suspended or paused comes here too, as severity="warning": route it elsewhere where nobody is to be woken for it.',
        ],
        alertmanagerConfig(content.naming),
      ),
    },
  ];
}

function plainFiles(content: RulesContent): readonly RulesFile[] {
  return [
    roleFile(content),
    {
      name: 'kube-state-metrics.yaml',
      text: yamlText(
        [...exportHead, 'Its flag is --custom-resource-state-config-file.'],
        exportConfig(content.fleet.kinds),
      ),
    },
    {
      name: 'rules.yaml',
      text: yamlText(
        [
          ...ruleHead(content),
          'Name it under rule_files. The job that scrapes kube-state-metrics has that in its name.',
        ],
        { groups: content.groups },
      ),
    },
    ...(content.own.length === 0 ? [] : [{ name: 'plumbline.yaml', text: yamlText(ownHead, { groups: content.own }) }]),
    {
      name: 'alertmanager.yaml',
      text: yamlText(
        [
          'Parts of alertmanager.yml: put the route before your other routes.',
          'FILL IN the name of a receiver that calls somebody. Plumbline knows no key of a pager. Until then the file does not load.',
          'Each object is a group of its own, for what joins a group that has called already calls nobody anew.',
          'What is suspended or paused comes here too, as severity="warning": route it elsewhere where nobody is to be woken for it.',
        ],
        alertmanagerParts(content.naming),
      ),
    },
  ];
}
