import { managedKind, providerConfigKind } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';

function aws(service: string, version: string, kind: string, resource: string): ServedKind {
  return managedKind(`${service}.aws.upbound.io`, version, kind, resource);
}

function awsNamespaced(service: string, kind: string, resource: string): ServedKind {
  return managedKind(`${service}.aws.m.upbound.io`, 'v1beta1', kind, resource);
}

/** The AWS kinds that the demo's clusters have objects of. */
export const awsKinds = {
  instance: aws('rds', 'v1beta3', 'Instance', 'instances'),
  subnetGroup: aws('rds', 'v1beta1', 'SubnetGroup', 'subnetgroups'),
  bucket: aws('s3', 'v1beta2', 'Bucket', 'buckets'),
  publicAccessBlock: aws('s3', 'v1beta1', 'BucketPublicAccessBlock', 'bucketpublicaccessblocks'),
  role: aws('iam', 'v1beta1', 'Role', 'roles'),
  policy: aws('iam', 'v1beta1', 'Policy', 'policies'),
  queue: aws('sqs', 'v1beta1', 'Queue', 'queues'),
  namespacedBucket: awsNamespaced('s3', 'Bucket', 'buckets'),
  namespacedQueue: awsNamespaced('sqs', 'Queue', 'queues'),
} as const;

/** Kinds of the same providers of which nothing exists; they are served and empty, as most kinds of a provider are. */
export const emptyAwsKinds: readonly ServedKind[] = [
  aws('rds', 'v1beta1', 'Cluster', 'clusters'),
  aws('rds', 'v1beta1', 'ParameterGroup', 'parametergroups'),
  aws('s3', 'v1beta1', 'BucketNotification', 'bucketnotifications'),
  aws('s3', 'v1beta1', 'Object', 'objects'),
  aws('iam', 'v1beta1', 'User', 'users'),
  aws('iam', 'v1beta1', 'Group', 'groups'),
  aws('sqs', 'v1beta1', 'QueueRedrivePolicy', 'queueredrivepolicies'),
  awsNamespaced('rds', 'Instance', 'instances'),
  awsNamespaced('iam', 'Role', 'roles'),
];

/** The ProviderConfigs of the AWS family. */
export const awsProviderConfig = providerConfigKind('aws.upbound.io');

/** Kinds for fleets of any size, made up after the same pattern. */
export function inventedManagedKind(index: number): ServedKind {
  const service = ['ec2', 'rds', 's3', 'iam', 'sqs', 'sns', 'kms', 'eks', 'route53', 'dynamodb'][index % 10] ?? 'ec2';
  return aws(service, 'v1beta1', `Resource${index}`, `resource${index}s`);
}
